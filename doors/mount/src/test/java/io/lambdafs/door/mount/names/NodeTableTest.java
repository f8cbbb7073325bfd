package io.lambdafs.door.mount.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.mount.wire.ErrnoException;
import org.junit.jupiter.api.Test;

class NodeTableTest {
    private final NodeTable table = new NodeTable();
    private final Node root = table.of(1);

    @Test
    void shouldForgetANodeWhenTheKernelHasForgottenItAsOftenAsItWasTold() {
        Node file = table.told(root, "f", 2_000, false);
        assertThat(table.told(root, "f", 2_000, false)).isSameAs(file);

        table.forgotten(2_000, 1);
        assertThat(table.of(2_000)).isSameAs(file);
        table.forgotten(2_000, 1);
        assertThatThrownBy(() -> table.of(2_000)).isInstanceOf(ErrnoException.class);
        assertThat(table.count()).isEqualTo(1);
    }

    @Test
    void shouldKeepADirectoryWhileItsChildrenAreKnown() {
        Node directory = table.told(root, "d", 2_000, true);
        Node file = table.told(directory, "f", 2_001, false);

        table.forgotten(2_000, 1);
        assertThat(table.path(file)).hasToString("/d/f");
        table.forgotten(2_001, 1);
        assertThat(table.count()).isEqualTo(1);
    }

    @Test
    void shouldMoveWhatIsBelowWithADirectory() {
        Node directory = table.told(root, "d", 2_000, true);
        Node file = table.told(directory, "f", 2_001, false);
        Node replaced = table.told(root, "e", 2_002, true);

        table.moved(root, "d", root, "e");

        assertThat(table.path(file)).hasToString("/e/f");
        assertThat(table.at(root, "d")).isNull();
        assertThatThrownBy(() -> table.path(replaced)).isInstanceOf(ErrnoException.class);
    }

    @Test
    void shouldFindWhatAnotherHasMoved() {
        Node directory = table.told(root, "d", 2_000, true);
        Node file = table.told(directory, "f", 2_001, false);
        Node there = table.told(root, "g", 2_002, false);

        assertThat(table.told(root, "g", 2_001, false)).isSameAs(file);
        assertThat(table.path(file)).hasToString("/g");
        assertThatThrownBy(() -> table.path(there)).isInstanceOf(ErrnoException.class);
    }

    @Test
    void shouldKeepTheNumberWhenNewContentsHaveAnotherINode() {
        Node file = table.told(root, "f", 2_000, false);
        for (long next = 2_005; next < 2_008; next++) {
            table.replacing(file, next);
            assertThat(table.told(root, "f", next, false))
                    .as("one that looks meanwhile")
                    .isSameAs(file);
            table.replaced(file, true);
            assertThat(table.idOf(next)).isEqualTo(2_000);
            assertThat(table.told(root, "f", next == 2_005 ? 2_000 : next - 1, false))
                    .as("one that looked before")
                    .isSameAs(file);
        }
        assertThat(table.isOf(file, 2_007)).isTrue();
        assertThat(table.isOf(file, 2_005)).isFalse();

        table.replacing(file, 2_010);
        table.replaced(file, false);
        assertThat(table.isOf(file, 2_010)).isFalse();

        table.forgotten(2_000, 7);
        assertThat(table.count()).isEqualTo(1);
        assertThat(table.isOf(file, 2_007)).isFalse();
    }
}
