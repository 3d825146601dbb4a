/* System tasks for the state of a design.
 *
 * $zero_state(scope...) sets all variables and memory words inside the scopes to zero
 * whose bits are all X, which is the initial value of state in plain Verilog. Logic that
 * depends on state is updated. Logic that depends only on constants already has its value
 * and is left alone, because it would not be evaluated again.
 *
 * $read_state(scope) reads a line from stdin and sets a register or memory word. The line
 * contains the path below the scope, the index of the memory word, and the value in
 * hexadecimal. Variables that the Verilog omits, because nothing depends on them, are
 * ignored. */

#include <stdio.h>
#include <string.h>
#include <vpi_user.h>

static void zero_variable(vpiHandle variable)
{
    s_vpi_value value;
    value.format = vpiBinStrVal;
    vpi_get_value(variable, &value);
    if (value.value.str[strspn(value.value.str, "x")] != '\0')
        return;
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

static void zero_memory(vpiHandle memory) { each(vpiMemoryWord, memory, zero_variable); }

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

static char hex[(1 << 20) + 1];

static PLI_INT32 read_state(PLI_BYTE8 *unused)
{
    char path[1024], name[2048];
    int word;
    vpiHandle item, arguments = vpi_iterate(vpiArgument, vpi_handle(vpiSysTfCall, 0));
    s_vpi_value value;
    (void)unused;
    snprintf(name, sizeof name - sizeof path, "%s.", vpi_get_str(vpiFullName, vpi_scan(arguments)));
    vpi_free_object(arguments);
    if (scanf(" %1023s %d %1048576s", path, &word, hex) != 3)
        return 0; /* the bench detects the end of its input */
    strcat(name, path);
    item = vpi_handle_by_name(name, 0);
    if (item && vpi_get(vpiType, item) == vpiMemory)
        item = vpi_handle_by_index(item, word);
    if (!item)
        return 0;
    value.format = vpiHexStrVal;
    value.value.str = hex;
    vpi_put_value(item, &value, 0, vpiNoDelay);
    return 0;
}

static void register_task(PLI_BYTE8 *name, PLI_INT32 (*call)(PLI_BYTE8 *))
{
    s_vpi_systf_data task = {vpiSysTask, 0, name, call, 0, 0, 0};
    vpi_register_systf(&task);
}

static void register_tasks(void)
{
    register_task("$zero_state", zero_state);
    register_task("$read_state", read_state);
}

void (*vlog_startup_routines[])(void) = {register_tasks, 0};
