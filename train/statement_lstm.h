// TenSet's LSTM over the statements of a program.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options statement_lstm_options();
std::shared_ptr<Model> make_statement_lstm(const Options& options, const Features& features);

}  // namespace hone::train
