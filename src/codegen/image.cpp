#include "codegen/image.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Endian.h>

#include <map>

#include "base/error.h"
#include "codegen/relocate.h"

namespace hone::codegen {
namespace {

using llvm::object::ELF64LEObjectFile;
using llvm::object::SectionRef;

template <class T>
T unwrap(llvm::Expected<T> value) {
  if (!value) fail(fmt::format("bad object: {}", llvm::toString(value.takeError())));
  return std::move(*value);
}

class Linker {
 public:
  explicit Linker(const ELF64LEObjectFile& object) : object_(object) {}

  Image run() {
    place_sections();
    for (const SectionRef& section : object_.sections()) relocate_section(section);
    for (const auto& symbol : object_.symbols()) {
      if (unwrap(symbol.getName()) != kEntryName) continue;
      image_.entry = address_of(symbol);
      return std::move(image_);
    }
    fail(fmt::format("the object has no {}", kEntryName));
  }

 private:
  // Unwinding tables are loaded with programs, but nothing unwinds through a kernel.
  bool is_wanted(const llvm::object::ELFSectionRef& section) const {
    return (section.getFlags() & llvm::ELF::SHF_ALLOC) != 0 && section.getSize() > 0 &&
           unwrap(section.getName()) != ".eh_frame" && section.getType() != llvm::ELF::SHT_NOTE;
  }

  void place_sections() {
    for (const llvm::object::ELFSectionRef section : object_.sections()) {
      if (!is_wanted(section)) continue;
      const std::string_view name = unwrap(section.getName());
      if ((section.getFlags() & llvm::ELF::SHF_WRITE) != 0) {
        fail(fmt::format("section {} is writable; an image is not", name));
      }
      const std::uint64_t alignment = section.getAlignment().value();
      const std::uint64_t start = (image_.bytes.size() + alignment - 1) / alignment * alignment;
      const llvm::StringRef contents = unwrap(section.getContents());
      image_.bytes.resize(start);
      const auto* data = reinterpret_cast<const std::byte*>(contents.data());
      image_.bytes.insert(image_.bytes.end(), data, data + contents.size());
      starts_[section.getIndex()] = start;
    }
  }

  std::uint64_t address_of(const llvm::object::SymbolRef& symbol) const {
    const auto section = unwrap(symbol.getSection());
    if (section == object_.section_end()) {
      fail(fmt::format("the object needs the outside symbol {}",
                       std::string_view(unwrap(symbol.getName()))));
    }
    const auto start = starts_.find(section->getIndex());
    if (start == starts_.end()) {
      fail(fmt::format("section {} is not part of an image",
                       std::string_view(unwrap(section->getName()))));
    }
    return start->second + unwrap(symbol.getValue());
  }

  void relocate_section(const SectionRef& relocations) {
    const auto target = unwrap(relocations.getRelocatedSection());
    if (target == object_.section_end()) return;
    const auto start = starts_.find(target->getIndex());
    if (start == starts_.end()) return;
    for (const llvm::object::ELFRelocationRef relocation : relocations.relocations()) {
      const std::uint64_t place = start->second + relocation.getOffset();
      const std::int64_t addend = unwrap(relocation.getAddend());
      const auto value = static_cast<std::int64_t>(address_of(*relocation.getSymbol())) + addend;
      if (!relocate(object_.getELFFile().getHeader().e_machine,
                    static_cast<std::uint32_t>(relocation.getType()),
                    std::span(image_.bytes).subspan(place), static_cast<std::int64_t>(place), value)) {
        llvm::SmallString<32> name;
        relocation.getTypeName(name);
        fail(fmt::format("no image can hold the relocation {}", std::string_view(name.str())));
      }
    }
  }

  const ELF64LEObjectFile& object_;
  Image image_;
  std::map<std::uint64_t, std::uint64_t> starts_;  // section index -> offset in the image
};

}  // namespace

Image link_image(std::span<const std::byte> object) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  const auto file =
      unwrap(llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "kernel")));
  const auto* elf = llvm::dyn_cast<ELF64LEObjectFile>(file.get());
  check(elf != nullptr, "objects are 64-bit little-endian ELF");
  return Linker(*elf).run();
}

}  // namespace hone::codegen
