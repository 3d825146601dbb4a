/* Registers of the meter. */
#ifndef METER_REGS_H
#define METER_REGS_H

/* Byte offsets of words of 32 bits. */
#define METER_LIMIT				0x00	/* events in a period */
#define METER_STATUS				0x04	/* how it goes */
#define METER_CONTROL				0x08
#define METER_BASE(n)				(0x10 + 4 * (n))	/* n < 3: where it begins */
#define METER_TOTAL_LO				0x20	/* of all time */
#define METER_TOTAL_HI				0x24
#define METER_RING_LO				0x2c
#define METER_RING_HI				0x30
#define METER_NOW_LO(n)				(0x38 + 8 * (n))	/* n < 2 */
#define METER_NOW_HI(n)				(0x3c + 8 * (n))	/* n < 2 */
#define METER_ALIAS				0x48

/* Fields. */
#define METER_STATUS_BUSY			0x00000001	/* at work */
#define METER_STATUS_LATE_SHIFT			5
#define METER_STATUS_LATE_MASK			0x00001fe0	/* what came "late" */
#define METER_STATUS_MARK_SHIFT			15
#define METER_STATUS_MARK_MASK			0x001f8000
#define METER_STATUS_TAKEN_SHIFT		21
#define METER_STATUS_TAKEN_MASK			0xffe00000
#define METER_CONTROL_ENABLE			0x00000001
#define METER_CONTROL_ENABLED			0x00000001	/* it runs */
#define METER_CONTROL_REG			0x00000002
#define METER_CONTROL_START_SHIFT		2
#define METER_CONTROL_START_MASK		0x000003fc

#endif /* METER_REGS_H */
