/* The system task $zero_state(scope...) sets all variables and memories inside
 * the scopes to zero, where plain Verilog starts with X. */

#include <vpi_user.h>

static void put_zero(vpiHandle variable)
{
    s_vpi_value value;
    value.format = vpiIntVal;
    value.value.integer = 0;
    vpi_put_value(variable, &value, 0, vpiNoDelay);
}

static void each(PLI_INT32 type, vpiHandle parent, void (*f)(vpiHandle))
{
    vpiHandle item, all = vpi_iterate(type, parent);
    while (all && (item = vpi_scan(all)))
        f(item);
}

static void zero_memory(vpiHandle memory) { each(vpiMemoryWord, memory, put_zero); }

static void zero_scope(vpiHandle scope)
{
    each(vpiReg, scope, put_zero);
    each(vpiMemory, scope, zero_memory);
    each(vpiInternalScope, scope, zero_scope);
}

static PLI_INT32 zero_state(PLI_BYTE8 *unused)
{
    (void)unused;
    each(vpiArgument, vpi_handle(vpiSysTfCall, 0), zero_scope);
    return 0;
}

static void register_task(void)
{
    s_vpi_systf_data task = {vpiSysTask, 0, "$zero_state", zero_state, 0, 0, 0};
    vpi_register_systf(&task);
}

void (*vlog_startup_routines[])(void) = {register_task, 0};
