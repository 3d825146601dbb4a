/* The system task $zero_state(scope...) sets all memories and those variables
 * inside the scopes to zero that are X in all bits, as state is where plain Verilog
 * starts. Logic that depends on it follows; what depends on constants only has its
 * value already, and would not get it again. */

#include <string.h>
#include <vpi_user.h>

static void put_zero(vpiHandle variable)
{
    s_vpi_value value;
    value.format = vpiIntVal;
    value.value.integer = 0;
    vpi_put_value(variable, &value, 0, vpiNoDelay);
}

static void zero_variable(vpiHandle variable)
{
    s_vpi_value value;
    value.format = vpiBinStrVal;
    vpi_get_value(variable, &value);
    if (value.value.str[strspn(value.value.str, "x")] == '\0')
        put_zero(variable);
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
    each(vpiReg, scope, zero_variable);
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
