/* Violates an assertion of a design by setting its port a to 1. */
#include <stdio.h>

#include "hotline.h"

static void tell(const char *what, int code, hotline_model model) {
  printf("%s: code %d (%s), then cycle %llu\n", what, code, hotline_message(model), (unsigned long long)hotline_cycle(model));
}

int main(void) {
  hotline_model model;
  uint64_t one = 1, in[4][HOTLINE_IN_WORDS] = {{0}}, out[4][HOTLINE_OUT_WORDS];
  if (hotline_create(NULL, &model) != HOTLINE_OK)
    return 1;
  hotline_set(model, hotline_port("a"), &one, 1);
  tell("step 5", hotline_step(model, 5), model);
  in[1][HOTLINE_AT_A] = in[3][HOTLINE_AT_A] = 1;
  tell("run 4", hotline_run(model, 4, &in[0][0], &out[0][0]), model);
  return hotline_close(model);
}
