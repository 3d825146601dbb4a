// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* The PCI function: how the card is found, set up, reset and given up. */
#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>

#include "hotline.h"

/* The completions are in memory when their interrupt comes; who waits looks there. */
static irqreturn_t hotline_irq(int irq, void *data)
{
	struct hotline *hl = data;

	wake_up(&hl->wait);
	return IRQ_HANDLED;
}

/*
 * Checks that this is a card whose registers the driver knows, and learns its sizes.
 * They are kept: a card that is gone later would tell nonsense.
 */
static int hotline_identify(struct hotline *hl)
{
	u32 id = hotline_read(hl, HOTLINE_CSR_ID);
	u32 version = hotline_read(hl, HOTLINE_CSR_VERSION);
	u32 caps0 = hotline_read(hl, HOTLINE_CSR_CAPS0);

	/* A minor version adds; a major one changes. */
	if (id != HOTLINE_ID || version >> 16 != HOTLINE_VERSION >> 16) {
		dev_err(&hl->pdev->dev, "id %#x version %#x, expected %#x and %#x\n",
			id, version, HOTLINE_ID, HOTLINE_VERSION);
		return -ENODEV;
	}
	hl->engines = 1U << FIELD_GET(HOTLINE_CSR_CAPS0_ENGINES_LOG2_MASK, caps0);
	hl->blocks = 1U << FIELD_GET(HOTLINE_CSR_CAPS0_BLOCKS_LOG2_MASK, caps0);
	dev_info(&hl->pdev->dev, "%u engines, %u blocks\n", hl->engines, hl->blocks);
	return 0;
}

/* Takes memory for the rings. It is freed when the driver lets go of the card. */
static int hotline_allocate(struct hotline *hl)
{
	struct device *dev = &hl->pdev->dev;
	int err;

	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	hl->sq = dmam_alloc_coherent(dev, HOTLINE_ENTRIES * sizeof(*hl->sq), &hl->sq_dma,
				     GFP_KERNEL);
	hl->cq = dmam_alloc_coherent(dev, HOTLINE_ENTRIES * sizeof(*hl->cq), &hl->cq_dma,
				     GFP_KERNEL);
	return hl->sq && hl->cq ? 0 : -ENOMEM;
}

/* Sets up the one vector that the card uses. */
static int hotline_vectors(struct hotline *hl)
{
	int n;

	n = pci_alloc_irq_vectors(hl->pdev, 1, 1, PCI_IRQ_MSIX);
	if (n < 0)
		return n;
	return devm_request_irq(&hl->pdev->dev, pci_irq_vector(hl->pdev, HOTLINE_VECTOR_COMPLETION),
				hotline_irq, 0, KBUILD_MODNAME, hl);
}

/* All that probe takes is given back by the driver core, in reverse order. */
static int hotline_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct hotline *hl;
	int err;

	hl = devm_kzalloc(&pdev->dev, sizeof(*hl), GFP_KERNEL);
	if (!hl)
		return -ENOMEM;
	hl->pdev = pdev;
	mutex_init(&hl->selftest);
	mutex_init(&hl->lock);
	init_waitqueue_head(&hl->wait);
	pci_set_drvdata(pdev, hl);

	err = pcim_enable_device(pdev);
	if (err)
		return dev_err_probe(&pdev->dev, err, "cannot be enabled\n");
	err = pcim_iomap_regions(pdev, BIT(HOTLINE_BAR), KBUILD_MODNAME);
	if (err)
		return dev_err_probe(&pdev->dev, err, "BAR cannot be mapped\n");
	hl->regs = pcim_iomap_table(pdev)[HOTLINE_BAR];
	err = hotline_identify(hl);
	if (err)
		return err;
	err = hotline_allocate(hl);
	if (err)
		return dev_err_probe(&pdev->dev, err, "no memory for the rings\n");
	pci_set_master(pdev);
	err = hotline_vectors(hl);
	if (err)
		return dev_err_probe(&pdev->dev, err, "no interrupt vector\n");
	err = hotline_start(hl);
	if (err)
		return dev_err_probe(&pdev->dev, err, "cannot be started\n");
	pci_save_state(pdev);
	dev_info(&pdev->dev, "started\n");
	return 0;
}

/* The card must not write into the rings when their memory is someone else's. */
static void hotline_remove(struct pci_dev *pdev)
{
	struct hotline *hl = pci_get_drvdata(pdev);

	mutex_lock(&hl->lock);
	hl->dead = true;
	if (!hotline_stop(hl))
		dev_info(&pdev->dev, "stopped\n");
	mutex_unlock(&hl->lock);
}

/* A reset from outside waits until the rings are not in use; see hotline_reset_done(). */
static void hotline_reset_prepare(struct pci_dev *pdev)
{
	struct hotline *hl = pci_get_drvdata(pdev);

	mutex_lock(&hl->lock);
	hotline_stop(hl);
}

static void hotline_reset_done(struct pci_dev *pdev)
{
	struct hotline *hl = pci_get_drvdata(pdev);
	int err;

	err = hotline_start(hl);
	mutex_unlock(&hl->lock);
	if (err)
		dev_err(&pdev->dev, "cannot be started after a reset: %d\n", err);
	else
		dev_info(&pdev->dev, "started after a reset\n");
}

/* The card has told of an error, or its link has. A reset helps unless it is gone for good. */
static pci_ers_result_t hotline_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct hotline *hl = pci_get_drvdata(pdev);

	mutex_lock(&hl->lock);
	hl->dead = true;
	mutex_unlock(&hl->lock);
	return state == pci_channel_io_perm_failure ? PCI_ERS_RESULT_DISCONNECT :
						      PCI_ERS_RESULT_NEED_RESET;
}

static pci_ers_result_t hotline_slot_reset(struct pci_dev *pdev)
{
	struct hotline *hl = pci_get_drvdata(pdev);
	int err;

	/* The state of hotline_probe(); it is taken by being restored. */
	pci_restore_state(pdev);
	pci_save_state(pdev);
	mutex_lock(&hl->lock);
	err = hotline_start(hl);
	mutex_unlock(&hl->lock);
	return err ? PCI_ERS_RESULT_DISCONNECT : PCI_ERS_RESULT_RECOVERED;
}

static void hotline_resume(struct pci_dev *pdev)
{
	dev_info(&pdev->dev, "recovered\n");
}

static const struct pci_error_handlers hotline_err_handler = {
	.error_detected = hotline_error_detected,
	.slot_reset = hotline_slot_reset,
	.resume = hotline_resume,
	.reset_prepare = hotline_reset_prepare,
	.reset_done = hotline_reset_done,
};

/* /sys/bus/pci/devices/.../selftest: a write runs it, and fails if it fails. */
static ssize_t selftest_store(struct device *dev, struct device_attribute *attr,
			      const char *buf, size_t count)
{
	int err;

	err = hotline_selftest(dev_get_drvdata(dev));
	return err ? err : count;
}
static DEVICE_ATTR_WO(selftest);

static struct attribute *hotline_attrs[] = {
	&dev_attr_selftest.attr,
	NULL
};
ATTRIBUTE_GROUPS(hotline);

static const struct pci_device_id hotline_ids[] = {
	{ PCI_DEVICE(HOTLINE_PCI_VENDOR_ID, HOTLINE_PCI_DEVICE_ID) },
	{ }
};
MODULE_DEVICE_TABLE(pci, hotline_ids);

static struct pci_driver hotline_driver = {
	.name = KBUILD_MODNAME,
	.id_table = hotline_ids,
	.probe = hotline_probe,
	.remove = hotline_remove,
	.shutdown = hotline_remove,
	.err_handler = &hotline_err_handler,
	.dev_groups = hotline_groups,
};
module_pci_driver(hotline_driver);

MODULE_DESCRIPTION("Template of a driver for the Hotline accelerator");
MODULE_LICENSE("GPL");
