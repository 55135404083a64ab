"""What can go wrong with a model.

ModelError
  ModelMissing        no file for the role, or the file is not there
  ModelFileCorrupt    truncated, or another file than the registry says
  NotAModel           what was brought is no model file at all
  ModelRefused        the file is whole, but the backend cannot use it
  PromptTooLong       prompt and answer do not fit the context
  SchemaMismatch      the decoded JSON does not validate
  PictureUnreadable   the picture of a page is damaged, too large, or more than the reader can bear
Cancelled             the caller asked to stop: an outcome, not an error
"""

from __future__ import annotations


class ModelError(Exception):
    title = "A model could not be used"
    hint = "Run: flori models verify"


class ModelMissing(ModelError):
    title = "A model is missing"
    hint = "Run: scripts/install_models   (or: flori models import FILE)"


class ModelFileCorrupt(ModelError):
    title = "The model file is damaged"
    hint = "Run: scripts/install_models   (it replaces damaged files)"


class NotAModel(ModelFileCorrupt):
    title = "That is not a model"
    hint = "Bring a .gguf or whisper.cpp file, or a sentence-transformers folder"


class ModelRefused(ModelError):
    title = "The model file cannot be used for this role"
    hint = "Run: flori models list   and choose another file"


class PromptTooLong(ModelError):
    title = "The prompt does not fit the model's context"
    hint = "Use a model with a larger context"


class SchemaMismatch(ModelError):
    title = "The model's answer does not fit the schema"
    hint = "The step falls back to its deterministic way"


class PictureUnreadable(ModelError):
    title = "The picture of a page could not be read"
    hint = "Look at it in another program, or scan it again"


class Cancelled(Exception):
    """Raised out of an inner loop after the cancel check said yes."""
