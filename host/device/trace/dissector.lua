-- Wireshark and tshark show a capture with this:
--
--   tshark -X lua_script:hotline.lua -r run.pcapng
--
-- Fields: tlp.* of every TLP, hotline.* of registers, commands and completions.
-- It runs with Lua 5.2 to 5.4, so it does without operators and libraries for bits.

local tlp = Proto("tlp", "PCI Express TLP")
local hotline = Proto("hotline", "Hotline accelerator")

local directions = { [0] = "down", [1] = "up" }
local statuses_of_tlps = { [0] = "SC", [1] = "UR", [2] = "CRS", [4] = "CA" }

local f = {
  dir = ProtoField.uint8("tlp.dir", "Direction", base.DEC, directions),
  time = ProtoField.uint64("tlp.time_ps", "Time in ps", base.DEC),
  dropped = ProtoField.bool("tlp.dropped", "Dropped"),
  injected = ProtoField.bool("tlp.injected", "Injected fault"),
  added = ProtoField.bool("tlp.added", "Nobody has sent it"),
  comment = ProtoField.string("tlp.comment", "Comment"),
  delay = ProtoField.uint64("tlp.delay_ps", "Next TLP arrives too late by, in ps", base.DEC),
  gap = ProtoField.uint64("tlp.gap", "Packets that were not kept", base.DEC),
  id = ProtoField.uint16("tlp.function.id", "Function", base.HEX),
  bar = ProtoField.uint64("tlp.function.bar", "BAR", base.HEX),
  size = ProtoField.uint64("tlp.function.size", "BAR size", base.HEX),
  msix = ProtoField.uint32("tlp.function.msix", "MSI-X offset", base.HEX),
  kind = ProtoField.string("tlp.kind", "Kind"),
  fmt = ProtoField.uint8("tlp.fmt", "Fmt", base.HEX),
  type = ProtoField.uint8("tlp.type", "Type", base.HEX),
  tc = ProtoField.uint8("tlp.tc", "Traffic class", base.DEC),
  attr = ProtoField.uint8("tlp.attr", "Attributes (IDO, RO, NS)", base.HEX),
  td = ProtoField.uint8("tlp.td", "Digest present", base.DEC),
  ep = ProtoField.uint8("tlp.ep", "Poisoned", base.DEC),
  at = ProtoField.uint8("tlp.at", "Address type", base.DEC),
  length = ProtoField.uint16("tlp.length", "Length in DWs", base.DEC),
  requester = ProtoField.uint16("tlp.requester", "Requester", base.HEX),
  tag = ProtoField.uint16("tlp.tag", "Tag", base.HEX),
  first_be = ProtoField.uint8("tlp.first_be", "First byte enables", base.HEX),
  last_be = ProtoField.uint8("tlp.last_be", "Last byte enables", base.HEX),
  addr = ProtoField.uint64("tlp.addr", "Address", base.HEX),
  target = ProtoField.uint16("tlp.target", "Target function", base.HEX),
  register = ProtoField.uint16("tlp.register", "Configuration register", base.HEX),
  completer = ProtoField.uint16("tlp.completer", "Completer", base.HEX),
  status = ProtoField.uint8("tlp.status", "Status", base.DEC, statuses_of_tlps),
  bcm = ProtoField.uint8("tlp.bcm", "Byte count modified", base.DEC),
  byte_count = ProtoField.uint16("tlp.byte_count", "Byte count", base.DEC),
  lower_addr = ProtoField.uint8("tlp.lower_addr", "Lower address", base.HEX),
  code = ProtoField.uint8("tlp.code", "Message code", base.HEX),
  route = ProtoField.uint8("tlp.route", "Routing", base.DEC),
  message = ProtoField.uint64("tlp.message", "Message DW 2 and 3", base.HEX),
  data = ProtoField.bytes("tlp.data", "Payload"),
  digest = ProtoField.uint32("tlp.digest", "Digest", base.HEX),
  request = ProtoField.framenum("tlp.request", "Request", base.NONE, frametype.REQUEST),
}
tlp.fields = f

local h = {
  what = ProtoField.string("hotline.what", "What"),
  csr = ProtoField.string("hotline.csr", "Register"),
  value = ProtoField.uint32("hotline.value", "Value", base.HEX),
  vector = ProtoField.uint16("hotline.vector", "Interrupt vector", base.DEC),
  opcode = ProtoField.uint8("hotline.command.opcode", "Opcode", base.HEX, opcodes),
  flags = ProtoField.uint8("hotline.command.flags", "Flags", base.HEX),
  id = ProtoField.uint32("hotline.command.id", "Command", base.DEC),
  operand1 = ProtoField.uint64("hotline.command.operand1", "Operand 1", base.HEX),
  operand2 = ProtoField.uint64("hotline.command.operand2", "Operand 2", base.HEX),
  operand3 = ProtoField.uint64("hotline.command.operand3", "Operand 3", base.HEX),
  done = ProtoField.uint32("hotline.completion.id", "Command", base.DEC),
  status = ProtoField.uint8("hotline.completion.status", "Status", base.DEC, statuses),
  phase = ProtoField.uint8("hotline.completion.phase", "Phase", base.DEC),
  value0 = ProtoField.uint32("hotline.completion.value0", "Value 0", base.DEC),
  value1 = ProtoField.uint32("hotline.completion.value1", "Value 1", base.DEC),
  head = ProtoField.uint16("hotline.completion.sq_head", "Commands taken", base.DEC),
  crc = ProtoField.uint32("hotline.crc", "CRC-32C", base.HEX),
}
hotline.fields = h

local malformed = ProtoExpert.new("tlp.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local poisoned = ProtoExpert.new("tlp.poisoned", "Poisoned", expert.group.RESPONSE_CODE, expert.severity.WARN)
local fault = ProtoExpert.new("tlp.fault", "Injected fault", expert.group.COMMENTS_GROUP, expert.severity.NOTE)
local refused = ProtoExpert.new("tlp.refused", "Not successful", expert.group.RESPONSE_CODE, expert.severity.NOTE)
tlp.experts = { malformed, poisoned, fault, refused }

-- What the packets so far say about the device, and what each packet is. Packets are
-- seen in order the first time.
local device, reads, roles

function tlp.init()
  device = { csr = {}, vectors = {} }
  reads, roles = {}, {}
end

local function name_of(id)
  return string.format("%02x:%02x.%d", math.floor(id / 256), math.floor(id / 8) % 32, id % 8)
end

-- kind_of is the kind of TLP that a first byte announces, nil if there is none.
local function kind_of(first)
  local with_data = first % 128 >= 64
  local base_type = with_data and first - 64 or first
  local function pick(without, with) return with_data and with or without end
  if base_type == 0x00 or base_type == 0x20 then return pick("MRd", "MWr"), with_data end
  if base_type == 0x04 then return pick("CfgRd0", "CfgWr0"), with_data end
  if base_type == 0x05 then return pick("CfgRd1", "CfgWr1"), with_data end
  if base_type == 0x0a then return pick("Cpl", "CplD"), with_data end
  if base_type >= 0x30 and base_type <= 0x37 then return pick("Msg", "MsgD"), with_data end
end

-- header reads what all TLPs have.
local function header(b)
  local t = { first = b(0, 1):uint() }
  t.kind, t.with_data = kind_of(t.first)
  t.dws = (math.floor(t.first / 32) % 2 == 1) and 4 or 3
  t.tc = b(1, 1):bitfield(1, 3)
  t.tag = b(1, 1):bitfield(0, 1) * 512 + b(1, 1):bitfield(4, 1) * 256
  t.attr = b(1, 1):bitfield(5, 1) * 4 + b(2, 1):bitfield(2, 2)
  t.hints = b(1, 1):bitfield(6, 2)
  t.td = b(2, 1):bitfield(0, 1)
  t.ep = b(2, 1):bitfield(1, 1)
  t.at = b(2, 1):bitfield(4, 2)
  t.length = b(2, 2):bitfield(6, 10)
  if t.length == 0 and t.kind ~= "Cpl" and t.kind ~= "Msg" then t.length = 1024 end
  return t
end

-- addressed reads the address of a memory request, as bytes and as a number.
local function addressed(b, t)
  if t.dws == 4 then
    t.addr_bytes, t.addr64 = b(8, 8), b(8, 8):uint64()
  else
    t.addr_bytes, t.addr64 = b(8, 4), UInt64(b(8, 4):uint(), 0)
  end
  t.addr = t.addr64:tonumber()
end

-- size is how many bytes the header announces.
local function size(t)
  return 4 * t.dws + (t.with_data and 4 * t.length or 0) + 4 * t.td
end

-- word is a little-endian word of the payload.
local function word(t, i) return t.data(4 * i, 4):le_uint() end

local function within(addr, base_addr, bytes)
  return base_addr and addr >= base_addr and addr < base_addr + bytes
end

-- ring is the address of a ring and its bytes.
local function ring(lo, hi, log2, entry)
  local c = device.csr
  if not c[lo] then return nil, 0 end
  return c[lo] + (c[hi] or 0) * 4294967296, entry * 2 ^ (c[log2] or 0)
end

local function down_write(t, dropped)
  local at = t.addr - device.bar
  if at >= device.msix then
    local v, part = math.floor((at - device.msix) / 16), (at - device.msix) % 16
    device.vectors[v] = device.vectors[v] or {}
    for i = 0, dropped and -1 or t.length - 1 do device.vectors[v][part + 4 * i] = word(t, i) end
    return { what = "MSI-X table", vector = v }
  end
  if not dropped then device.csr[at] = word(t, 0) end
  if not dropped and at == 0x20 and t.first_be % 2 == 1 and word(t, 0) % 4 >= 2 then device.csr = {} end
  local name = csrs[at] or string.format("register 0x%x", at)
  return { what = name == "sq_tail" and "doorbell" or "register write", csr = name, value = word(t, 0) }
end

local function up_write(t)
  local cq, cq_bytes = ring(csr.cq_base_lo, csr.cq_base_hi, csr.cq_log2, completion_bytes)
  if within(t.addr, cq, cq_bytes) and 4 * t.length == completion_bytes then return { what = "completion entry" } end
  for v, e in pairs(device.vectors) do
    if e[0] and t.addr == e[0] + (e[4] or 0) * 4294967296 then return { what = "interrupt", vector = v } end
  end
  return { what = "data write" }
end

local function read_role(t, up)
  local sq, sq_bytes = ring(csr.sq_base_lo, csr.sq_base_hi, csr.sq_log2, command_bytes)
  if up and within(t.addr, sq, sq_bytes) then return { what = "command fetch" } end
  if up then return { what = "data read" } end
  if within(t.addr, device.bar, device.size) then
    local at = t.addr - device.bar
    return { what = "register read", csr = at < device.msix and (csrs[at] or string.format("register 0x%x", at)) or nil }
  end
  return { what = "read" }
end

local function configuration_role(t, dropped)
  local csr = string.format("0x%03x", t.register)
  if not t.with_data then return { what = "configuration read", csr = csr } end
  if t.register == bar0 and not dropped then device.csr = {} end
  return { what = "configuration write", csr = csr, value = word(t, 0) }
end

-- role is what a TLP does for the device. It is worked out once.
local function role(t, up, dropped, number)
  if t.register then
    local r = configuration_role(t, dropped)
    reads[t.requester * 1024 + t.tag] = { role = r, number = number }
    return r
  end
  if t.kind == "MRd" then
    local r = read_role(t, up)
    reads[t.requester * 1024 + t.tag] = { role = r, number = number }
    return r
  end
  if t.kind == "MWr" then
    if not up and within(t.addr, device.bar, device.size) then return down_write(t, dropped) end
    return up and up_write(t) or { what = "write" }
  end
  if t.kind == "Cpl" or t.kind == "CplD" then
    local asked = reads[t.requester * 1024 + t.tag]
    if not asked then return { what = "unexpected completion" } end
    local r = { request = asked.number, what = asked.role.what, csr = asked.role.csr }
    if t.kind == "CplD" and not dropped and r.what == "command fetch" and 4 * t.length == command_bytes then r.command = true end
    if t.kind == "CplD" and r.csr and t.length == 1 then r.value = word(t, 0) end
    return r
  end
  return {}
end

local function command(tree, t)
  local d, at = t.data, command_at
  local item = tree:add(hotline, d(), "Command")
  item:add(h.opcode, d(at.opcode, 1))
  item:add(h.flags, d(at.flags, 1))
  item:add_le(h.id, d(at.id, 4))
  item:add_le(h.operand1, d(at.operands, 8))
  item:add_le(h.operand2, d(at.operands + 8, 8))
  item:add_le(h.operand3, d(at.operands + 16, 8))
  item:add_le(h.crc, d(at.crc, 4))
  return string.format("%s, command %d", opcodes[d(at.opcode, 1):uint()] or "unknown opcode", d(at.id, 4):le_uint())
end

local function completion(tree, t)
  local d, at = t.data, completion_at
  local item = tree:add(hotline, d(), "Completion")
  item:add_le(h.done, d(at.id, 4))
  item:add(h.status, d(at.status, 1))
  item:add(h.phase, d(at.phase, 1), d(at.phase, 1):uint() % 2)
  item:add_le(h.value0, d(at.values, 4))
  item:add_le(h.value1, d(at.values + 4, 4))
  item:add_le(h.head, d(at.head, 2))
  item:add_le(h.crc, d(at.crc, 4))
  return string.format("command %d: %s", d(at.id, 4):le_uint(), statuses[d(at.status, 1):uint()] or "unknown status")
end

-- accelerator shows what a TLP does, and gives a text for the list.
local function accelerator(root, tree, t, r)
  if not r.what then return "" end
  local item = root:add(hotline, tree)
  item:add(h.what, r.what):set_generated()
  if r.csr then item:add(h.csr, r.csr):set_generated() end
  if r.value then item:add(h.value, r.value):set_generated() end
  if r.vector then item:add(h.vector, r.vector):set_generated() end
  local text = r.what
  if r.csr then text = text .. " " .. r.csr end
  if r.value then text = text .. string.format(" = 0x%x", r.value) end
  if r.command then text = text .. ": " .. command(item, t) end
  if r.what == "completion entry" then text = text .. ": " .. completion(item, t) end
  return "  | " .. text
end

local function request(item, b, t)
  item:add(f.requester, b(4, 2))
  item:add(f.tag, b(6, 1), t.tag)
end

local function memory(item, b, t)
  request(item, b, t)
  t.first_be, t.last_be = b(7, 1):bitfield(4, 4), b(7, 1):bitfield(0, 4)
  item:add(f.first_be, b(7, 1), t.first_be)
  item:add(f.last_be, b(7, 1), t.last_be)
  addressed(b, t)
  item:add(f.addr, t.addr_bytes, t.addr64)
  if b(4 * t.dws - 1, 1):bitfield(6, 2) ~= 0 then t.wrong = "processing hint in the address" end
  if t.dws == 4 and b(8, 4):uint() == 0 then t.wrong = "header of 4 DWs for an address below 4 GiB" end
  return string.format("%s tag=%03x @%0" .. (t.dws == 4 and 16 or 8) .. "s len=%d be=%x%x",
    name_of(t.requester), t.tag, t.addr64:tohex(t.dws == 4 and 16 or 8), t.length, t.last_be, t.first_be)
end

local function configuration(item, b, t)
  request(item, b, t)
  local first_be = b(7, 1):bitfield(4, 4)
  item:add(f.first_be, b(7, 1), first_be)
  item:add(f.last_be, b(7, 1), b(7, 1):bitfield(0, 4))
  item:add(f.target, b(8, 2))
  t.register = b(10, 2):bitfield(4, 12)
  item:add(f.register, b(10, 2), t.register)
  if b(10, 1):bitfield(0, 4) ~= 0 or t.register % 4 ~= 0 then t.wrong = "reserved bits of DW 2" end
  return string.format("%s>%s tag=%03x @%03x be=%x", name_of(t.requester), name_of(b(8, 2):uint()), t.tag, t.register, first_be)
end

local function completed(item, b, t)
  local status, count = b(6, 1):bitfield(0, 3), b(6, 2):bitfield(4, 12)
  if count == 0 then count = 4096 end
  item:add(f.completer, b(4, 2))
  local s = item:add(f.status, b(6, 1), status)
  if status ~= 0 then s:add_proto_expert_info(refused, statuses_of_tlps[status] or "reserved status") end
  item:add(f.bcm, b(6, 1), b(6, 1):bitfield(3, 1))
  item:add(f.byte_count, b(6, 2), count)
  item:add(f.requester, b(8, 2))
  item:add(f.tag, b(10, 1), t.tag)
  item:add(f.lower_addr, b(11, 1), b(11, 1):bitfield(1, 7))
  if b(11, 1):bitfield(0, 1) ~= 0 then t.wrong = "reserved bit 7 of DW 2" end
  return string.format("%s>%s tag=%03x %s bc=%d la=%02x len=%d", name_of(b(4, 2):uint()), name_of(t.requester), t.tag,
    statuses_of_tlps[status] or "Status(" .. status .. ")", count, b(11, 1):bitfield(1, 7), t.length)
end

local function message(item, b, t)
  request(item, b, t)
  item:add(f.code, b(7, 1))
  item:add(f.route, b(0, 1), t.first % 8)
  item:add(f.message, b(8, 8))
  return string.format("%s tag=%03x code=%02x route=%d len=%d", name_of(t.requester), t.tag, b(7, 1):uint(), t.first % 8, t.length)
end

local specific = { MRd = memory, MWr = memory, Cpl = completed, CplD = completed, Msg = message, MsgD = message,
  CfgRd0 = configuration, CfgWr0 = configuration, CfgRd1 = configuration, CfgWr1 = configuration }

local function wrong(item, pinfo, text)
  item:add_proto_expert_info(malformed, text)
  pinfo.cols.info:set("malformed TLP: " .. text)
end

-- packet shows one TLP.
local function packet(b, pinfo, root, up, dropped)
  local item = root:add(tlp, b(), "TLP")
  if b:len() < 12 then return wrong(item, pinfo, b:len() .. " bytes, expected a header of at least 12") end
  local t = header(b)
  if not t.kind then return wrong(item, pinfo, string.format("unknown first byte 0x%02x", t.first)) end
  if b:len() ~= size(t) then return wrong(item, pinfo, b:len() .. " bytes, expected " .. size(t)) end
  local at = (t.kind == "Cpl" or t.kind == "CplD") and 8 or 4
  t.requester, t.tag = b(at, 2):uint(), t.tag + b(at + 2, 1):uint()
  if t.with_data then t.data = b(4 * t.dws, 4 * t.length):tvb() end
  item:add(f.kind, b(0, 1), t.kind)
  item:add(f.fmt, b(0, 1), math.floor(t.first / 32))
  item:add(f.type, b(0, 1), t.first % 32)
  item:add(f.tc, b(1, 1), t.tc)
  item:add(f.attr, b(1, 2), t.attr)
  item:add(f.td, b(2, 1), t.td)
  local ep = item:add(f.ep, b(2, 1), t.ep)
  if t.ep == 1 then ep:add_proto_expert_info(poisoned) end
  item:add(f.at, b(2, 1), t.at)
  item:add(f.length, b(2, 2), t.length)
  local text = specific[t.kind](item, b, t)
  if t.data then item:add(f.data, b(4 * t.dws, 4 * t.length)) end
  if t.td == 1 then item:add_le(f.digest, b(b:len() - 4, 4)) end
  if t.hints ~= 0 then t.wrong = "LN or TH bit" end
  if (t.kind == "Cpl" or t.kind == "Msg") and t.length ~= 0 then t.wrong = "a length without data" end
  if t.wrong then return wrong(item, pinfo, t.wrong) end

  local number = pinfo.number
  if not roles[number] then roles[number] = device.bar and role(t, up, dropped, number) or {} end
  local r = roles[number]
  if r.request then item:add(f.request, r.request):set_generated() end
  item:set_text("TLP: " .. t.kind .. " " .. text)
  pinfo.cols.info:set(t.kind .. " " .. text .. (t.ep == 1 and " [EP]" or "") .. accelerator(root, b(), t, r))
end

local function func(b, pinfo, item)
  if b:len() ~= 24 then return wrong(item, pinfo, "function of " .. b:len() .. " bytes, expected 24") end
  item:add(f.id, b(0, 2))
  item:add(f.msix, b(4, 4))
  item:add(f.bar, b(8, 8))
  item:add(f.size, b(16, 8))
  device.bar, device.size, device.msix = b(8, 8):uint64():tonumber(), b(16, 8):uint64():tonumber(), b(4, 4):uint()
  pinfo.cols.info:set(string.format("function %s, BAR at 0x%x", name_of(b(0, 2):uint()), device.bar))
end

function tlp.dissector(b, pinfo, root)
  pinfo.cols.protocol:set("PCIe")
  local item = root:add(tlp, b(0, math.min(16, b:len())), "Capture header")
  if b:len() <= 16 or b(0, 1):uint() ~= 0xc1 or b(1, 1):uint() ~= 1 then
    return wrong(item, pinfo, "no capture header of version 1")
  end
  local kind, up = b(2, 1):uint(), b(3, 1):uint() == 1
  item:add(f.dir, b(3, 1))
  item:add(f.dropped, b(6, 2), b(7, 1):bitfield(7, 1) == 1)
  item:add(f.added, b(6, 2), b(7, 1):bitfield(5, 1) == 1)
  local injected = item:add(f.injected, b(6, 2), b(7, 1):bitfield(6, 1) == 1)
  if b(7, 1):bitfield(6, 1) == 1 then injected:add_proto_expert_info(fault) end
  item:add(f.time, b(8, 8))
  pinfo.cols.src:set(up and "device" or "host")
  pinfo.cols.dst:set(up and "host" or "device")
  local rest = b(16):tvb()
  if kind == 0 then
    packet(rest, pinfo, root, up, b(7, 1):bitfield(7, 1) == 1)
  elseif kind == 2 then
    item:add(f.comment, rest()):add_proto_expert_info(fault, rest():string(ENC_UTF_8))
    pinfo.cols.info:set(rest():string(ENC_UTF_8))
  elseif kind == 3 then
    func(rest, pinfo, item)
  elseif kind == 4 and rest:len() == 8 then
    item:add(f.delay, rest())
    pinfo.cols.info:set("injected: the next TLP arrives " .. tostring(rest():uint64()) .. " ps too late")
  elseif kind == 5 and rest:len() == 8 then
    item:add(f.gap, rest())
    if not pinfo.visited then reads = {} end
    pinfo.cols.info:set(tostring(rest():uint64()) .. " packets before this one were not kept")
  else
    wrong(item, pinfo, "packet of kind " .. kind .. ", expected 0 or 2 to 5")
  end
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, tlp)
