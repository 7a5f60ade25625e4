"""Renderers: each file is a format. It holds SUFFIX and `render(run, report=None) -> str`, which reads only the run."""
