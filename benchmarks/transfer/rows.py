"""Rows that tables have in common."""
from table import Row

NO_VALIDATION = {"validation": "0"}  # the last epoch is kept, so nothing is chosen by it
SMALL_BATCH = {"batch": "1024"}  # of 4,096 as published an epoch has two; so it has as many as those of hone's model

HONE = Row("hone", "hone", "together", {"machine": "descriptor", "adapters": "4", "trees": "0", **NO_VALIDATION},
           is_ours=True)
HONE_SCRATCH = Row("hone, from scratch", "hone", "scratch", {"trees": "0", **NO_VALIDATION})
TLP_SCRATCH = Row("TLP, from scratch", "tlp", "scratch", SMALL_BATCH)
TLP_TUNED = Row("TLP, fine-tuned", "tlp", "tuned", SMALL_BATCH)
MTL_TLP = Row("MTL-TLP", "mtl-tlp", "together", SMALL_BATCH)
ATFORMER_1L = Row("ATFormer-1L", "atformer", "tuned", {"layers": "1", "mask": "0", **NO_VALIDATION})
ATFORMER = Row("ATFormer", "atformer", "tuned", {"mask": "0", **NO_VALIDATION})
ATFORMER_M = Row("ATFormer-M", "atformer", "tuned", NO_VALIDATION)
