// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * Driver of the copy engine. A write to /dev/copy copies the written bytes, up to 4096 and a
 * multiple of 16, from one buffer to another with the engine. A read returns the copy.
 */
#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/uaccess.h>

#define COPY_VENDOR	0x1234
#define COPY_DEVICE	0xc0de

/* Registers. */
#define COPY_ID		0x00
#define COPY_BYTES	0x04
#define COPY_SOURCE	0x08
#define COPY_TARGET	0x10
#define COPY_START	0x18
#define COPY_STATUS	0x1c
#define COPY_SUM	0x20

#define COPY_ID_VALUE	0x434f5059
#define COPY_ERROR(s)	(((s) >> 4) & 0xf)
#define COPY_MAX	4096
#define COPY_ALIGN	16
#define COPY_TIMEOUT	(10 * HZ)	/* the device is simulated */

struct copy {
	struct pci_dev *pdev;
	void __iomem *regs;
	void *source, *target;
	dma_addr_t source_dma, target_dma;
	size_t size;			/* bytes of the latest copy */
	struct mutex lock;		/* one copy at a time */
	struct completion done;
	struct miscdevice misc;
};

static irqreturn_t copy_irq(int irq, void *data)
{
	struct copy *c = data;

	complete(&c->done);
	return IRQ_HANDLED;
}

/* Copies the source buffer. The caller holds the lock. */
static int copy_run(struct copy *c, size_t size)
{
	const u32 *words = c->source;
	u32 sum = 0, status;
	size_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		sum += words[i];
	reinit_completion(&c->done);
	iowrite32(size, c->regs + COPY_BYTES);
	writeq(c->source_dma, c->regs + COPY_SOURCE);
	writeq(c->target_dma, c->regs + COPY_TARGET);
	iowrite32(1, c->regs + COPY_START);
	if (!wait_for_completion_timeout(&c->done, COPY_TIMEOUT))
		return -ETIMEDOUT;
	/* The read also pushes the data ahead of its answer. */
	status = ioread32(c->regs + COPY_STATUS);
	if (COPY_ERROR(status)) {
		dev_err(&c->pdev->dev, "DMA error %u\n", COPY_ERROR(status));
		return -EIO;
	}
	if (ioread32(c->regs + COPY_SUM) != sum) {
		dev_err(&c->pdev->dev, "wrong sum\n");
		return -EIO;
	}
	return 0;
}

static ssize_t copy_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	struct copy *c = container_of(file->private_data, struct copy, misc);
	int err;

	if (!size || size > COPY_MAX || size % COPY_ALIGN)
		return -EINVAL;
	if (mutex_lock_interruptible(&c->lock))
		return -ERESTARTSYS;
	err = copy_from_user(c->source, from, size) ? -EFAULT : copy_run(c, size);
	c->size = err ? 0 : size;
	mutex_unlock(&c->lock);
	return err ? err : size;
}

static ssize_t copy_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct copy *c = container_of(file->private_data, struct copy, misc);
	loff_t start = 0;
	ssize_t n;

	if (mutex_lock_interruptible(&c->lock))
		return -ERESTARTSYS;
	n = simple_read_from_buffer(to, size, &start, c->target, c->size);
	mutex_unlock(&c->lock);
	return n;
}

static const struct file_operations copy_fops = {
	.owner = THIS_MODULE,
	.write = copy_write,
	.read = copy_read,
};

/* Takes the buffers and the interrupt. The driver core gives them back. */
static int copy_allocate(struct copy *c)
{
	struct device *dev = &c->pdev->dev;
	int err;

	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	c->source = dmam_alloc_coherent(dev, COPY_MAX, &c->source_dma, GFP_KERNEL);
	c->target = dmam_alloc_coherent(dev, COPY_MAX, &c->target_dma, GFP_KERNEL);
	if (!c->source || !c->target)
		return -ENOMEM;
	err = pci_alloc_irq_vectors(c->pdev, 1, 1, PCI_IRQ_MSIX);
	if (err < 0)
		return err;
	return devm_request_irq(dev, pci_irq_vector(c->pdev, 0), copy_irq, 0, KBUILD_MODNAME, c);
}

static int copy_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct copy *c;
	int err;

	c = devm_kzalloc(&pdev->dev, sizeof(*c), GFP_KERNEL);
	if (!c)
		return -ENOMEM;
	c->pdev = pdev;
	mutex_init(&c->lock);
	init_completion(&c->done);
	pci_set_drvdata(pdev, c);

	err = pcim_enable_device(pdev);
	if (err)
		return dev_err_probe(&pdev->dev, err, "cannot be enabled\n");
	err = pcim_iomap_regions(pdev, BIT(0), KBUILD_MODNAME);
	if (err)
		return dev_err_probe(&pdev->dev, err, "BAR 0 cannot be mapped\n");
	c->regs = pcim_iomap_table(pdev)[0];
	if (ioread32(c->regs + COPY_ID) != COPY_ID_VALUE)
		return dev_err_probe(&pdev->dev, -ENODEV, "not a copy engine\n");
	pci_set_master(pdev);
	err = copy_allocate(c);
	if (err)
		return dev_err_probe(&pdev->dev, err, "no memory or interrupt\n");
	c->misc.minor = MISC_DYNAMIC_MINOR;
	c->misc.name = KBUILD_MODNAME;
	c->misc.fops = &copy_fops;
	err = misc_register(&c->misc);
	if (err)
		return dev_err_probe(&pdev->dev, err, "no device node\n");
	dev_info(&pdev->dev, "started\n");
	return 0;
}

static void copy_remove(struct pci_dev *pdev)
{
	struct copy *c = pci_get_drvdata(pdev);

	misc_deregister(&c->misc);
	pci_clear_master(pdev);	/* the buffers are about to be freed */
}

static const struct pci_device_id copy_ids[] = {
	{ PCI_DEVICE(COPY_VENDOR, COPY_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, copy_ids);

static struct pci_driver copy_driver = {
	.name = KBUILD_MODNAME,
	.id_table = copy_ids,
	.probe = copy_probe,
	.remove = copy_remove,
};
module_pci_driver(copy_driver);

MODULE_DESCRIPTION("Driver of the copy engine of examples/owncard");
MODULE_LICENSE("GPL");
