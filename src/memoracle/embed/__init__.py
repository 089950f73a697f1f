"""Texts into vectors, on this machine.

| file | what it holds |
|---|---|
| `api.py` | the `Embedder` port and `Kind`: what everything below promises |
| `script.py` | which of the two bundled spaces a text belongs to |
| `minilm.py` | all-MiniLM-L6-v2, English: `bert.py`, `gelu.py`, `wordpiece.py`, `vocabulary.py` |
| `use.py` | USE-multilingual v3: `unigram.py`, `charsmap.py`; unpacked by `unpack.py`, `sentencepiece.py` |
| `folder.py` | a model folder the owner has: `folder_bert.py` on numpy, or `onnx.py` (extra `onnx`) |
| `endpoint.py` | an OpenAI-compatible server the owner configured; `gated.py`: what may not go there |
| `prefixes.py` | what some models want before a question or a passage |
| `safetensors.py`, `locate.py`, `pinned.py`, `cachedir.py` | files: mapped, found, checked, kept |
| `rows.py`, `crew.py`, `blas.py` | arithmetic on rows, work over several threads, BLAS kept to one |

Nothing is imported here, so that naming the package costs nothing: numpy arrives with the first module that
computes. No module downloads, unpickles, or sends a text anywhere, except `endpoint.py` to its endpoint.
"""
