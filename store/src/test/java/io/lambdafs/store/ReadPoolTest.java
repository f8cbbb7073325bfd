package io.lambdafs.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReadPoolTest {
    @Test
    void shouldReadOnThreadsThatKeepNoProcessUpAndNotOnceItIsClosed() {
        CompletableFuture<Boolean> late;
        try (ReadPool pool = new ReadPool(1, "the test")) {
            assertThat(StoreContract.await(
                            pool.submit(() -> Thread.currentThread().isDaemon())))
                    .isTrue();
            assertThat(StoreContract.failure(pool.submit(() -> {
                        throw new IllegalStateException("thrown on purpose");
                    })))
                    .hasMessageContaining("thrown on purpose");
            pool.close();
            late = pool.submit(() -> true).toCompletableFuture();
        }
        StoreContract.assertCode(late, ErrorCode.UNAVAILABLE);
    }
}
