package io.lambdafs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class WindowsTest {
    private final Windows windows = new Windows(2);

    @Test
    void shouldGiveNoBufferToTwoThatWasGivenBackTwice() {
        Windows windows = new Windows(4);
        ByteBuffer window = windows.apply(Windows.BYTES);
        windows.giveBack(window);
        windows.giveBack(window);

        assertThat(windows.apply(Windows.BYTES)).isNotSameAs(windows.apply(Windows.BYTES));
    }

    @Test
    void shouldGiveWhatWasGivenBackLast() {
        ByteBuffer first = windows.apply(7);
        ByteBuffer second = windows.apply(7);
        assertThat(first.isDirect()).isTrue();
        assertThat(first.capacity()).isEqualTo(Windows.BYTES);
        assertThat(second).isNotSameAs(first);

        windows.giveBack(first);
        windows.giveBack(second.limit(3));

        assertThat(windows.apply(7)).isSameAs(second);
        assertThat(second.remaining()).isEqualTo(Windows.BYTES);
        assertThat(windows.apply(7)).isSameAs(first);
    }

    @Test
    void shouldGiveOthersWhereAllAreInUse() {
        ByteBuffer mine = windows.apply(1);
        windows.apply(1);
        ByteBuffer other = windows.apply(7);
        assertThat(other.isDirect()).isFalse();
        assertThat(other.capacity()).isEqualTo(7);

        windows.giveBack(other);
        windows.giveBack(ByteBuffer.allocateDirect(Windows.BYTES));
        assertThat(windows.apply(7).isDirect()).isFalse();

        windows.giveBack(mine);
        assertThat(windows.apply(7)).isSameAs(mine);
    }

    @Test
    void shouldMakeNewOnesForThoseThatNobodyHasAnyMore() {
        windows.apply(1);
        windows.apply(1);
        await().until(() -> {
            System.gc();
            return windows.apply(1).isDirect();
        });
    }
}
