"""The encodings compiled: hands are evaluated in blocks instead of being solved one by one."""
