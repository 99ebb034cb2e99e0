// The parts of which make_parts makes a proposer, for programs that put in one of their own.
#pragma once
#include <functional>
#include <memory>

#include "record/record.h"
#include "search/search.h"
#include "space/space.h"
#include "target/target.h"
#include "tune/candidates.h"
#include "tune/learned_scorer.h"
#include "tune/options.h"
#include "tune/search_proposer.h"

namespace hone::tune {

space::Space make_space(const std::shared_ptr<const task::Task>& task, const target::Target& target,
                        SpaceKind kind);

// The rows that hone's searches go by, and the views of the scorer unless that is null.
Featurise featuriser(const std::shared_ptr<const task::Task>& task, const target::Target& target,
                     const score::Network* scorer);

// The machine that a record was measured on, where it says so in hone's words; else this one.
target::Target recorded_target(const record::Record& record);

using MakeSearch = std::function<std::unique_ptr<search::Search>(const Candidates& candidates,
                                                                 const search::Options& options)>;

// With the models, and unless another one is given the search, that the options name.
std::unique_ptr<Proposer> make_proposer(const std::shared_ptr<const task::Task>& task,
                                        const target::Target& target,
                                        std::unique_ptr<const Candidates> candidates,
                                        const Options& options, const MakeSearch& make_search = {},
                                        const std::shared_ptr<const score::Network>& scorer = {});

}  // namespace hone::tune
