package await_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/await"
)

func TestCall(t *testing.T) {
	broken, over := errors.New("broken"), errors.New("over")
	ctx, cancel := context.WithCancelCause(context.Background())
	got, err := await.Call(ctx, func() (int, error) { return 7, broken })
	require.Equal(t, 7, got)
	require.Equal(t, broken, err)

	begun, never := make(chan struct{}), make(chan struct{})
	go func() { <-begun; cancel(over) }()
	_, err = await.Call(ctx, func() (int, error) { close(begun); <-never; return 7, nil })
	require.Equal(t, over, err, "nobody waits for it")
}
