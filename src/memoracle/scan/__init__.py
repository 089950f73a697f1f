"""Looking at a machine and at repositories: files are read, values come back; nothing is started or called.

scanning.py  the verbs: what was seen is kept, and what changed is noted
fact.py      one thing that was seen, and the file that says so
tree.py      a folder that is read within bounds: no link leads out of it, no file is read beyond its limit
homes.py     whose home it is: the account's and the environment's
git.py       what stands in a repository's own files
dotenv.py    names in files of settings
document.py  facts as the document that is kept, and what makes two of them differ
compare.py   what changed between two documents; many changes as one
machine/     one file per scanner of this machine
project/     one file per thing that a repository tells
"""
