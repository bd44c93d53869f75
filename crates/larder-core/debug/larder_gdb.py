"""Shows larder's keys and containers in gdb: keys as 12v3, containers as maps from keys to values.

rustc puts this script into every program that uses larder; gdb loads it where auto-loading is
allowed (`add-auto-load-safe-path`), or by `source larder_gdb.py`.
"""

import gdb
import re


def _number(value, size):
    """The bytes of a value as a number, whatever wrappers its type has."""
    memory = gdb.selected_inferior().read_memory(int(value.address), size)
    return int.from_bytes(memory.tobytes(), "little")


def _pointer(buffer):
    """The first element of a Buffer."""
    return buffer["pointer"]["pointer"]


def _live_slots(ledger):
    """The numbers of the live slots, from the occupancy words."""
    book = ledger["book"]
    slots = int(book["slots"])
    words = book["words"]["start"]["pointer"]
    for slot in range(slots):
        if int((words + slot // 64).dereference()) >> (slot % 64) & 1:
            yield slot


class _Handle:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        bits = _number(self.value, 8)
        return "%dv%d" % (bits & 0xFFFFFFFF, bits >> 32)


class _Handle32:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        # The second parameter says how many bits are the slot's.
        name = self.value.type.strip_typedefs().tag
        index_bits = int(re.search(r", *(\d+)(?:_?u32)?>$", name).group(1))
        bits = _number(self.value, 4)
        return "%dv%d" % (bits & (1 << index_bits) - 1, bits >> index_bits)


class _Serial:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "%dv%d" % (int(self.value["slot"]), _number(self.value["version"], 8))


class _Slot:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(_number(self.value, 4) - 1)


def _key(slot, generation):
    """A slot and the generation that is stored for it, as its key prints."""
    size = generation.type.sizeof
    return "%d%s" % (slot, "v%d" % _number(generation, size) if size else "")


class _Arena:
    name = "larder::Arena"

    def __init__(self, value):
        self.store = value["store"]
        self.element = value.type.strip_typedefs().template_argument(0)

    def to_string(self):
        return self.name

    def display_hint(self):
        return "map"

    def slots(self):
        return _live_slots(self.store["ledger"])

    def row(self, slot):
        return (_pointer(self.store["layout"]["__0"]) + slot).dereference()

    def children(self):
        for slot in self.slots():
            row = self.row(slot)
            value = row["value"].address.cast(self.element.pointer()).dereference()
            yield "key %d" % slot, _key(slot, row["generation"])
            yield "value %d" % slot, value


class _PagedArena(_Arena):
    name = "larder::PagedArena"

    def row(self, slot):
        blocks = self.store["layout"]["__0"]
        reciprocal = int(blocks["shape"]["reciprocal"])
        doubling = (slot + 16).bit_length() - 5
        block = (slot + 1) * reciprocal >> 64 if reciprocal else doubling
        # An entry is where row 0 would be.
        return ((_pointer(blocks["table"]["__0"]) + block).dereference() + slot).dereference()


class _InlineArena(_Arena):
    name = "larder::InlineArena"

    def slots(self):
        book = self.store["ledger"]["book"]
        live = _number(book["bits"], book["bits"].type.sizeof)
        return [slot for slot in range(int(book["slots"])) if live >> slot & 1]

    def row(self, slot):
        place = self.store["layout"]["__0"]["__0"][slot]
        row = place.type.strip_typedefs().template_argument(0)
        return place.address.cast(row.pointer()).dereference()


class _Pool:
    def __init__(self, value):
        self.store = value["store"]

    def to_string(self):
        return "larder::Pool"

    def display_hint(self):
        return "map"

    def children(self):
        split = self.store["layout"]["__0"]["split"]
        generations, values = _pointer(split["generations"]), _pointer(split["values"])
        for slot in _live_slots(self.store["ledger"]):
            yield "key %d" % slot, _key(slot, (generations + slot).dereference())
            yield "value %d" % slot, (values + slot).dereference()


class _DenseArena:
    def __init__(self, value):
        self.store = value["store"]

    def to_string(self):
        return "larder::DenseArena"

    def display_hint(self):
        return "map"

    def children(self):
        keys = _pointer(self.store["keys"])
        values = _pointer(self.store["values"])
        for position in range(int(self.store["len"])):
            yield "key %d" % position, (keys + position).dereference()
            yield "value %d" % position, (values + position).dereference()


def _leaves(shape):
    """The types and alignments of the columns of a shape, from left to right."""
    kind = shape.tag.split("<", 1)[0].rsplit("::", 1)[1]
    if kind == "Leaf":
        leaf = shape.template_argument(0)
        asked = re.search(r", *(\d+)(?:_?usize)?>$", shape.tag)
        yield leaf, max(leaf.alignof, int(asked.group(1)) if asked else 1)
    elif kind == "Pair":
        yield from _leaves(shape.template_argument(0))
        yield from _leaves(shape.template_argument(1))
    else:
        # `Nest` names its shape behind the struct that has it.
        yield from _leaves(shape.fields()[0].type.template_argument(0).fields()[1].type)


def _up(at, align):
    return (at + align - 1) // align * align


class _Columns:
    """Finds values in columns: in slices, or in groups of lanes."""

    def __init__(self, columns):
        of = columns["owns"].type.template_argument(0)
        self.leaves = list(_leaves(of.fields()[1].type))
        self.starts = columns["starts"].address
        # `Grouped<T, 8>`: groups of eight lanes.
        lanes = re.search(r"::Grouped<.*, *(\d+)(?:_?usize)?>$", of.fields()[2].type.tag)
        self.lanes = int(lanes.group(1)) if lanes else 0
        self.stride = self.group() if lanes else 0

    def group(self):
        """The bytes of a group (`Tree::group`)."""
        align, end = 1, 0
        for leaf, own in self.leaves:
            size = leaf.sizeof * self.lanes
            natural = min(size & -size, 64) if size else 1
            here = max(own, natural)
            align, end = max(align, here), _up(end, here) + size
        return _up(end, align)

    def value(self, index):
        """The fields of a value, as a tuple prints."""
        address = gdb.lookup_type("u8").pointer().pointer()
        fields = []
        for number, (leaf, _) in enumerate(self.leaves):
            start = (self.starts.cast(address) + number).dereference()
            if self.lanes:
                start, place = start + index // self.lanes * self.stride, index % self.lanes
            else:
                place = index
            field = (start.cast(leaf.pointer()) + place).dereference()
            fields.append(field.format_string())
        return "(%s)" % ", ".join(fields)


class _SoaArena:
    def __init__(self, value):
        self.store = value["store"]

    def to_string(self):
        return "larder::SoaArena"

    def display_hint(self):
        return "map"

    def children(self):
        generations = _pointer(self.store["layout"]["generations"])
        columns = _Columns(self.store["layout"]["values"])
        for slot in _live_slots(self.store["ledger"]):
            yield "key %d" % slot, _key(slot, (generations + slot).dereference())
            yield "value %d" % slot, columns.value(slot)


class _DenseSoaArena:
    def __init__(self, value):
        self.store = value["store"]

    def to_string(self):
        return "larder::DenseSoaArena"

    def display_hint(self):
        return "map"

    def children(self):
        keys = _pointer(self.store["keys"])
        columns = _Columns(self.store["values"])
        for position in range(int(self.store["len"])):
            yield "key %d" % position, (keys + position).dereference()
            yield "value %d" % position, columns.value(position)


def _slots(value):
    """By the layout, which is the third parameter."""
    layout = value.type.strip_typedefs().template_argument(2).tag
    for beginning, printer in [
        ("larder_core::raw::rows::Whole<larder_core::memory::buffer::Buffer<", _Arena),
        ("larder_core::raw::rows::Whole<larder_core::raw::rows::blocks::Blocks<", _PagedArena),
        ("larder_core::raw::rows::Whole<larder_core::raw::inline::Inside<", _InlineArena),
        ("larder_core::raw::split::Apart<", _SoaArena),
        ("larder_core::raw::rows::Whole<larder_core::raw::split::recycling::Recycling<", _Pool),
    ]:
        if layout.startswith(beginning):
            return printer(value)


def _packed(value):
    """By where values lie, which is the third parameter."""
    storage = value.type.strip_typedefs().template_argument(2).tag
    whole = storage.startswith("larder_core::memory::buffer::Buffer<")
    return _DenseArena(value) if whole else _DenseSoaArena(value)


_PRINTERS = [
    (r"^larder_core::key::handle::Handle<", _Handle),
    (r"^larder_core::key::handle::Handle32<", _Handle32),
    (r"^larder_core::key::serial::Serial<", _Serial),
    (r"^larder_core::key::handle::BareHandle<", _Slot),
    (r"^larder_core::containers::slots::Slots<", _slots),
    (r"^larder_core::containers::dense::Dense<", _packed),
]


def _lookup(value):
    name = value.type.strip_typedefs().tag
    for pattern, printer in _PRINTERS:
        if name and re.match(pattern, name):
            return printer(value)
    return None


gdb.pretty_printers.append(_lookup)
