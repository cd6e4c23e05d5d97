"""The commands, one a function; a module for each group of them, which it declares in `add`."""
