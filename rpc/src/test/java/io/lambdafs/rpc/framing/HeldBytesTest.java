package io.lambdafs.rpc.framing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeldBytesTest {
    private static final int MB = 1 << 20;

    private long nowNanos;
    private final HeldBytes held = new HeldBytes(100 * MB, () -> nowNanos);
    private final List<String> closed = new ArrayList<>();

    /** A peer that reads when the test says so. */
    private final class Peer {
        final HeldBytes.Account account;
        int waiting;
        int frames;

        Peer(String name) {
            account = held.account(() -> waiting, name, () -> closed.add(name));
        }

        void sent(int bytes) {
            waiting += bytes;
            account.given(bytes);
        }

        void reads(int bytes) {
            waiting -= bytes;
        }

        void sendsPart(int bytes) {
            account.left(bytes, frames);
        }
    }

    private void pass(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void shouldCloseWhoHoldsMostForLongestWhereAllIsTaken() {
        Peer small = new Peer("small");
        small.sent(2 * MB);
        Peer large = new Peer("large");
        large.sent(60 * MB);
        Peer reader = new Peer("reader");
        reader.sent(30 * MB);
        reader.reads(30 * MB);
        pass(100);
        assertThat(closed).isEmpty();

        reader.sent(39 * MB);

        assertThat(closed).containsExactly("large");
        assertThat(held.total()).isEqualTo(41 * MB);
        assertThat(reader.account.isOverdrawn()).isFalse();
    }

    @Test
    void shouldRefuseWhoHoldsSomeWhileItIsCrowdedAndCloseWhoDoesNotMove() {
        Peer stuck = new Peer("stuck");
        stuck.sent(40 * MB);
        Peer slow = new Peer("slow");
        slow.sent(40 * MB);
        assertThat(stuck.account.isOverdrawn()).isTrue();
        assertThat(new Peer("quick").account.isOverdrawn()).isFalse();
        for (int i = 0; i < 20; i++) {
            pass(150);
            slow.reads(39 * MB);
            slow.sent(39 * MB);
        }

        assertThat(closed).containsExactly("stuck");
        assertThat(slow.account.isOverdrawn()).isFalse();
    }

    @Test
    void shouldTakeOneByteNowAndThenForNoProgress() {
        Peer drip = new Peer("drip");
        drip.sent(80 * MB);
        Peer other = new Peer("other");
        for (int i = 0; i < 25; i++) {
            pass(100);
            drip.reads(1);
            other.sent(1);
            other.reads(1);
        }

        assertThat(closed).containsExactly("drip");
    }

    @Test
    void shouldCountFramesThatCameInPart() {
        Peer part = new Peer("part");
        part.sendsPart(50 * MB);
        Peer whole = new Peer("whole");
        whole.sendsPart(50 * MB);
        pass(50);
        whole.frames++;
        whole.sendsPart(49 * MB);
        pass(1);
        new Peer("another").sendsPart(2 * MB);

        assertThat(closed).containsExactly("part");
    }

    @Test
    void shouldForgetWhoIsGone() {
        Peer gone = new Peer("gone");
        gone.sent(90 * MB);
        gone.account.closed();
        gone.sendsPart(1);
        assertThat(held.total()).isZero();

        new Peer("next").sent(90 * MB);

        assertThat(closed).isEmpty();
    }
}
