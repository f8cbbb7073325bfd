package io.lambdafs.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.store.Key;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes must sort as keys do, and tell every two keys apart. */
class KeyBytesTest {
    private static final String[] PIECES = {"", "\0", "\1", "a", "b", "\u007f", "é", "\uFFFD", "\uD83D\uDE00", "/", "aa"
    };
    private static final long[] NUMBERS = {Long.MIN_VALUE, -256, -1, 0, 1, 255, 256, Long.MAX_VALUE};

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(4); n > 0; n--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static Key key(Table table, Random random) {
        return table.key(table.keyColumns().stream()
                .map(column -> switch (column.type()) {
                    case INT64 -> (Object) NUMBERS[random.nextInt(NUMBERS.length)];
                    case STRING, BYTES -> text(random);
                })
                .toArray());
    }

    @Test
    void shouldKeepTheOrderOfKeys() {
        Random random = new Random(3);
        for (Table table : Schema.TABLES) {
            for (int i = 0; i < 5_000; i++) {
                Key a = key(table, random);
                Key b = key(table, random);
                assertThat(Integer.signum(Arrays.compareUnsigned(KeyBytes.of(a), KeyBytes.of(b))))
                        .as("%s and %s", a, b)
                        .isEqualTo(Integer.signum(a.compareTo(b)));
            }
        }
    }

    @Test
    void shouldBoundAPartitionExactly() {
        Random random = new Random(4);
        for (Table table : List.of(Schema.SLOTS, Schema.INODES, Schema.SMALL_FILES)) {
            for (int i = 0; i < 5_000; i++) {
                Key wanted = key(table, random);
                Scan scan = new Scan(table, wanted.partition(), null, 1);
                byte[] prefix = KeyBytes.prefix(scan);
                Key other = key(table, random);
                byte[] bytes = KeyBytes.of(other);
                boolean inside = Arrays.compareUnsigned(bytes, prefix) >= 0
                        && Arrays.compareUnsigned(bytes, KeyBytes.end(prefix)) < 0;
                assertThat(inside).isEqualTo(other.partition().equals(wanted.partition()));
                if (inside) {
                    assertThat(KeyBytes.inScan(scan, prefix.length, bytes)).isEqualTo(other);
                }
            }
        }
    }

    @Test
    void shouldReadEveryKeyBack() {
        Random random = new Random(5);
        for (Table table : Schema.TABLES) {
            for (int i = 0; i < 5_000; i++) {
                Key key = key(table, random);
                assertThat(KeyBytes.read(KeyBytes.of(key))).isEqualTo(key);
            }
        }
    }

    @Test
    void shouldSayThatAKeyIsDamaged() {
        byte[] whole = KeyBytes.of(Schema.INODES.key(7L, "name"));
        byte[] ofNoTable = {(byte) 200, 1};
        byte[] named = KeyBytes.of(Schema.SLOTS.key("client", 1L));
        for (byte[] bytes : List.of(
                new byte[0],
                ofNoTable,
                Arrays.copyOf(whole, 5),
                Arrays.copyOf(named, 4),
                Arrays.copyOf(named, "?client\0".length()),
                Arrays.copyOf(named, 12),
                new byte[] {(byte) Schema.SEQUENCES.number(), (byte) 0xff},
                new byte[] {(byte) Schema.SEQUENCES.number(), 'a', (byte) 0xff})) {
            assertThatThrownBy(() -> KeyBytes.read(bytes)).hasMessageContaining("cannot read the key");
        }
    }

    @Test
    void shouldRefuseHalfACharacter() {
        assertThatThrownBy(() -> KeyBytes.of(Schema.SEQUENCES.key("a\uD83D")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
