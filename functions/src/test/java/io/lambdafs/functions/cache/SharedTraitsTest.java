package io.lambdafs.functions.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.inode.INode;
import org.junit.jupiter.api.Test;

class SharedTraitsTest {
    private static INode.Traits traits(int mode) {
        return new INode.Traits(INode.Kind.FILE, "u1", "users", mode, 1, 1 << 20, INode.Content.NONE);
    }

    @Test
    void shouldKeepEachOnce() {
        SharedTraits shared = new SharedTraits(1 << 20);
        for (int mode = 0; mode < 20; mode++) {
            INode.Traits first = shared.share(traits(mode));
            assertThat(shared.share(traits(mode))).isSameAs(first).isEqualTo(traits(mode));
            assertThat(shared.all()[shared.number(traits(mode))]).isSameAs(first);
        }
        long bytes = shared.bytes();
        assertThat(bytes).isPositive();
        shared.share(traits(7));
        assertThat(shared.bytes()).isEqualTo(bytes);
    }

    @Test
    void shouldLeaveTraitsAsTheyAreWhereThereIsNoRoom() {
        long one = Footprint.shared(traits(1));
        SharedTraits shared = new SharedTraits(2 * one);
        assertThat(shared.number(traits(1))).isZero();
        assertThat(shared.number(traits(2))).isEqualTo(1);
        assertThat(shared.number(traits(3))).isEqualTo(-1);
        INode.Traits third = traits(3);
        assertThat(shared.share(third)).isSameAs(third);
        assertThat(shared.bytes()).isEqualTo(2 * one);
    }
}
