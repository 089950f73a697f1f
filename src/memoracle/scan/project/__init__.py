"""What a repository tells of itself, from its own files: nothing is installed, built or run.

look.py          the kinds of facts by depth, and one look at a repository
dev_env.py       the short answer: languages, versions, managers, how to test, where it lives
runtime.py       languages; one reader each: python.py, node.py, go.py, rust.py, ruby.py, jvm.py
testing.py       test frameworks and the command that runs them
deploy.py        where it is put; ci.py: who builds it; lint.py: who checks its style
structure.py     what stands at its top; packages.py: the packages of a workspace
env_templates.py the names in a template of settings
"""
