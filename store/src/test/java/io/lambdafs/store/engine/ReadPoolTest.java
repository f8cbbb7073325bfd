package io.lambdafs.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.store.StoreContract;
import org.junit.jupiter.api.Test;

class ReadPoolTest {
    private final ReadPool pool = new ReadPool(1, "the test");

    @Test
    void shouldReadOnThreadsThatKeepNoProcessUpAndNotOnceItIsClosed() {
        assertThat(StoreContract.await(pool.submit(() -> Thread.currentThread().isDaemon())))
                .isTrue();
        assertThat(StoreContract.failure(pool.submit(() -> {
                    throw new IllegalStateException("thrown on purpose");
                })))
                .hasMessageContaining("thrown on purpose");
        pool.close();
        StoreContract.assertCode(pool.submit(() -> true), ErrorCode.UNAVAILABLE);
    }
}
