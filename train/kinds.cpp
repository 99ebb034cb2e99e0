#include "train/kinds.h"

#include "base/error.h"
#include "base/nearest.h"
#include "train/atformer.h"
#include "train/hone_model.h"
#include "train/mtl_tlp.h"
#include "train/statement_attention.h"
#include "train/statement_lstm.h"
#include "train/tabnet.h"
#include "train/tenset_mlp.h"
#include "train/tlp.h"

namespace hone::train {

Options published_recipe() {
  return {
      {"epochs", "50", "how often each program is visited"},
      {"per_task", "0", "programs of a task that an epoch visits, drawn anew each time; 0: all"},
      {"batch", "512", "programs a step"},
      {"list", "0", "programs of one task that a ranking compares; 0: the whole batch, tasks mixed"},
      {"loss", "lambdarank", "lambdarank, ranknet, listnet, mse or rmse"},
      {"label", "mean", "which of the repeats is a program's time: mean or min"},
      {"learning_rate", "7e-4", "of Adam"},
      {"schedule", "constant", "of the learning rate: constant, or cosine down to 0"},
      {"weight_decay", "1e-6", "added to the gradient"},
      {"clip", "0.5", "largest norm of a gradient; 0: any"},
      {"validation", "0.1", "share of the tasks that is held out to choose the epoch; 0: none"},
      {"select", "loss", "the epoch that is kept: lowest validation loss, best top, or last"},
      {"patience", "0", "epochs without anything better before training stops; 0: never"},
      {"guard", "0",
       "epochs of short trainings that find sources which do harm, to leave out; 0: none"},
      {"seed", "0", "of the first weights, the validation tasks and the order of programs"},
  };
}

namespace {

using Views = std::vector<std::string>;

Views statement_views(const Options& /*options*/) { return {"statements", "embedding"}; }

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {"hone",
       "statements, primitives and their summary; several small members that say how sure they are",
       hone_views, hone_options, make_hone_model},
      {"tlp", "TLP: attention or LSTM over schedule primitives",
       [](const Options& options) -> Views { return {options.text("rows")}; }, tlp_options, make_tlp},
      {"mtl-tlp", "MTL-TLP: TLP with a decoder a machine, for a target with few labels",
       [](const Options& options) -> Views { return {options.text("rows")}; }, mtl_tlp_options,
       make_mtl_tlp},
      {"tenset-mlp", "TenSet's network: a sum over statements", statement_views, tenset_mlp_options,
       make_tenset_mlp},
      {"statement-lstm", "TenSet's LSTM over statements", statement_views, statement_lstm_options,
       make_statement_lstm},
      {"statement-attention", "TenSet's multi-head attention over statements", statement_views,
       statement_attention_options, make_statement_attention},
      {"tabnet", "TabNet over statements, summed", statement_views, tabnet_options, make_tabnet},
      {"atformer", "ATFormer: layers of attention between statements", atformer_views, atformer_options,
       make_atformer},
  };
  return kKinds;
}

const Kind& kind_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw UserError("there is no kind of model '" + name + "'", did_you_mean(name, names));
}

}  // namespace hone::train
