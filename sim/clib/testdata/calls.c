/* Makes invalid calls and uses snapshots, and prints the results. */
#include <stdio.h>
#include <stdlib.h>

#include "hotline.h"

static hotline_model model;

static void show(const char *what, int code) { printf("%s: %s (%s)\n", what, hotline_text(code), hotline_message(model)); }

int main(void) {
  uint64_t value[2] = {0x1fff, 0}, in[HOTLINE_IN_WORDS] = {0}, out[HOTLINE_OUT_WORDS];
  hotline_capture capture, loaded = 0;
  size_t size = 0;
  uint8_t *bytes;
  show("another configuration", hotline_create("paper", &model));
  show("nowhere", hotline_create(NULL, NULL));
  show("no model", hotline_step(model, 1));
  show("closing none", hotline_close(model));
  printf("cycle of none: %d\n", (int)hotline_cycle(7));
  show("its own", hotline_create("small", &model));
  show("set of an output", hotline_set(model, HOTLINE_IRQ_REQ, value, 2));
  show("set of no port", hotline_set(model, HOTLINE_PORTS, value, 2));
  show("get of no port", hotline_get(model, -1, value, 2));
  show("too large", hotline_set(model, HOTLINE_S_AXIL_AWADDR, value, 1));
  show("too short", hotline_set(model, HOTLINE_S_AXIS_READ_DATA_TDATA, value, 1));
  show("no array", hotline_get(model, HOTLINE_S_AXIL_AWADDR, NULL, 1));
  show("no frames", hotline_run(model, 1, in, NULL));
  show("no register", hotline_peek(model, "no.such", 0, value, 2));
  show("no path", hotline_peek(model, NULL, 0, value, 2));
  show("no word", hotline_peek(model, "no.such", UINT64_MAX, value, 2));
  show("poke of no register", hotline_poke(model, "no.such", 0, value, 2));
  show("poke of nothing", hotline_poke(model, "csr_slave.write_resp", 0, NULL, 1));
  show("no snapshot", hotline_restore(model, 99));
  show("saving none", hotline_save(model, 99, NULL, &size));
  show("nowhere", hotline_snapshot(model, NULL));
  show("forgetting none", hotline_forget(99));
  printf("code 99: '%s'\n", hotline_text(99));
  printf("ports: %d %d\n", hotline_port("irq_ack") == HOTLINE_IRQ_ACK, hotline_port("irq"));
  printf("port: %s %d %d\n", hotline_port_name(HOTLINE_S_AXIL_AWADDR), hotline_port_bits(HOTLINE_S_AXIL_AWADDR), hotline_port_is_input(HOTLINE_S_AXIL_AWADDR));
  printf("none: %d %d %d\n", hotline_port_name(HOTLINE_PORTS) == NULL, hotline_port_bits(-1), hotline_port_is_input(-1));

  value[0] = 0xabc;
  hotline_reset(model, 1);
  hotline_step(model, 3);
  hotline_reset(model, 0);
  hotline_set(model, HOTLINE_S_AXIL_AWADDR, value, 1);
  hotline_snapshot(model, &capture);
  in[HOTLINE_AT_S_AXIL_AWADDR] = 0x123;
  hotline_eval(model, in, out);
  hotline_step(model, 1000);
  hotline_get(model, HOTLINE_S_AXIL_AWADDR, value, 1);
  printf("before: %d cycles, 0x%x\n", (int)hotline_cycle(model), (unsigned)value[0]);
  hotline_restore(model, capture);
  hotline_get(model, HOTLINE_S_AXIL_AWADDR, value, 1);
  printf("restored: %d cycles, 0x%x\n", (int)hotline_cycle(model), (unsigned)value[0]);
  value[0] = 7;
  show("poke", hotline_poke(model, "csr_slave.write_resp", 0, value, 1));
  hotline_peek(model, "csr_slave.write_resp", 0, value, 1);
  printf("two bits of 7: %d\n", (int)value[0]);

  printf("no room: %s\n", hotline_text(hotline_save(model, capture, NULL, &size)));
  hotline_snapshot(model, NULL); /* its message does not depend on the design */
  bytes = malloc(size);
  show("saved", hotline_save(model, capture, bytes, &size));
  show("forgotten", hotline_forget(capture));
  bytes[size / 2] ^= 1;
  printf("damaged: %s %d\n", hotline_text(hotline_load(model, bytes, size, &loaded)), (int)loaded);
  hotline_snapshot(model, NULL);
  bytes[size / 2] ^= 1;
  show("loaded", hotline_load(model, bytes, size, &loaded));
  hotline_step(model, 9);
  hotline_restore(model, loaded);
  hotline_get(model, HOTLINE_S_AXIL_AWADDR, value, 1);
  printf("restored: %d cycles, 0x%x\n", (int)hotline_cycle(model), (unsigned)value[0]);
  hotline_peek(model, "csr_slave.write_resp", 0, value, 1);
  printf("as before poke: %d\n", (int)value[0]);
  show("forgotten", hotline_forget(loaded));
  free(bytes);
  show("closed", hotline_close(model));
  show("closed before", hotline_close(model));
  return 0;
}
