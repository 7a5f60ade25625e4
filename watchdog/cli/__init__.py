"""The command line: one file a command, `app` knows them all."""
