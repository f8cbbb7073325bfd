package io.lambdafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FsPathTest {
    private static final int ROUNDS = 5_000;
    private static final String[] PIECES = {
        "a",
        "b",
        "Z",
        "9",
        " ",
        "-",
        "_",
        ".",
        "%",
        "\\",
        "*",
        "ß",
        "é",
        "€",
        "漢",
        "\ud83d\ude00",
        "\u00a0",
        "\u0001",
        "\n",
        "\r",
        "\u001f",
        "\u007f",
        "\u0080",
        "\u009f"
    };
    private static final String[] REFUSED_PIECES = {":", "\0", "\ud800", "\udc00", "\udc00\ud800"};

    private final Random random = new Random(20240601);

    private String name() {
        StringBuilder name = new StringBuilder();
        do {
            name.append(PIECES[random.nextInt(PIECES.length)]);
        } while (random.nextInt(4) != 0);
        return name.toString().equals(".") || name.toString().equals("..") ? "x" : name.toString();
    }

    private List<String> names(int most) {
        List<String> names = new ArrayList<>();
        for (int depth = random.nextInt(most + 1); depth > 0; depth--) {
            names.add(name());
        }
        return names;
    }

    private static FsPath path(List<String> names) {
        return FsPath.of("/" + String.join("/", names));
    }

    /** The same path, spelled with redundant slashes and dots. */
    private String spelled(List<String> names) {
        StringBuilder text = new StringBuilder("/");
        for (String name : names) {
            while (random.nextInt(3) == 0) {
                text.append(random.nextBoolean() ? "/" : "./");
            }
            text.append(name).append('/');
        }
        while (random.nextInt(3) == 0) {
            text.append(random.nextBoolean() ? "/" : "./");
        }
        if (text.length() > 1 && random.nextBoolean()) {
            text.append('.');
        }
        return text.toString();
    }

    private static void assertInvalid(String text) {
        assertThatThrownBy(() -> FsPath.of(text))
                .as("%s", text)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH));
    }

    @Test
    void shouldNormaliseEverySpellingToOneAndThatToItself() {
        for (int round = 0; round < ROUNDS; round++) {
            List<String> names = names(6);
            String plain = "/" + String.join("/", names);

            FsPath path = FsPath.of(spelled(names));

            assertThat(path).hasToString(plain).isEqualTo(FsPath.of(plain)).hasSameHashCodeAs(FsPath.of(plain));
            assertThat(FsPath.of(path.toString())).isEqualTo(path).hasToString(path.toString());
            assertThat(path.names()).isEqualTo(names);
            assertThat(path.depth()).isEqualTo(names.size());
            for (int i = 0; i < names.size(); i++) {
                assertThat(path.name(i)).isEqualTo(names.get(i));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/,/", "//,/", "/.,/", "/./,/", "/a/,/a", "//a///b//,/a/b", "/a/./b/.,/a/b", "/.../..a/b..,/.../..a/b.."
    })
    void shouldNormalise(String text, String expected) {
        assertThat(FsPath.of(text)).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "a/b", "./a", "../a", " /a", "..", "/..", "/a/..", "/../a", "/a/../b", "/a/.././b"})
    void shouldRefuseWhatIsRelativeOrClimbs(String text) {
        assertInvalid(text);
    }

    @Test
    void shouldRefuseForbiddenCharactersAnywhere() {
        for (int round = 0; round < ROUNDS; round++) {
            List<String> names = names(4);
            String piece = REFUSED_PIECES[random.nextInt(REFUSED_PIECES.length)];
            String name = name() + piece + name();
            names.add(random.nextInt(names.size() + 1), name);

            assertInvalid("/" + String.join("/", names));
            assertThat(FsPath.isValidName(name)).isFalse();
            assertThatThrownBy(() -> FsPath.ROOT.child(name)).isInstanceOf(FsException.class);
        }
    }

    @Test
    void shouldNotPutControlCharactersIntoItsMessage() {
        assertThatThrownBy(() -> FsPath.of("/a\nb:\u001b[31m")).message().doesNotContain("\n", "\u001b");
        assertThatThrownBy(() -> FsPath.of("/" + "x".repeat(9_000))).message().hasSizeLessThan(400);
    }

    @Test
    void shouldCountNamesInBytesOfUtf8() {
        for (String piece : new String[] {"a", "é", "€", "\ud83d\ude00"}) {
            int bytes = piece.getBytes(StandardCharsets.UTF_8).length;
            String longest = piece.repeat(FsPath.MAX_NAME_BYTES / bytes) + "a".repeat(FsPath.MAX_NAME_BYTES % bytes);

            assertThat(FsPath.of("/" + longest).name()).isEqualTo(longest);
            assertThat(FsPath.isValidName(longest)).isTrue();
            assertInvalid("/" + longest + "a");
            assertInvalid("/x/" + longest + "a/y");
            assertThat(FsPath.isValidName(longest + "a")).isFalse();
        }
    }

    @Test
    void shouldCountPathsInBytesOfUtf8() {
        for (String piece : new String[] {"aa", "é"}) {
            String name = piece.repeat(99) + "a";
            FsPath longest = path(Collections.nCopies(FsPath.MAX_PATH_BYTES / 200, name));

            assertThat(longest.toString().getBytes(StandardCharsets.UTF_8)).hasSize(FsPath.MAX_PATH_BYTES);
            assertInvalid(longest + "/a");
            assertThatThrownBy(() -> longest.child("a")).isInstanceOf(FsException.class);
        }
    }

    @Test
    void shouldUndoAChildByItsParent() {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath parent = path(names(5));
            String name = name();

            FsPath child = parent.child(name);

            assertThat(child.parent()).isEqualTo(parent).hasToString(parent.toString());
            assertThat(child.name()).isEqualTo(name);
            assertThat(child.depth()).isEqualTo(parent.depth() + 1);
            assertThat(child).isEqualTo(FsPath.of(child.toString()));
            assertThat(child.parent().names()).isEqualTo(parent.names());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/", "/a", "a/"})
    void shouldRefuseAChildThatIsNotOneName(String name) {
        assertThat(FsPath.isValidName(name)).isFalse();
        assertThatThrownBy(() -> FsPath.of("/p").child(name))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH));
    }

    @Test
    void shouldReachEveryAncestorByParents() {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath path = path(names(6));
            FsPath climbing = path;
            for (int depth = path.depth(); depth >= 0; depth--) {
                assertThat(path.ancestor(depth)).isEqualTo(climbing);
                climbing = climbing.parent();
            }
        }
    }

    @Test
    void shouldKnowWhatLiesBelowWhat() {
        for (int round = 0; round < ROUNDS; round++) {
            FsPath one = path(names(3));
            FsPath other = random.nextBoolean() ? path(names(3)) : one.child(name());
            boolean below =
                    other.depth() <= one.depth() && one.ancestor(other.depth()).equals(other);
            boolean above =
                    one.depth() <= other.depth() && other.ancestor(one.depth()).equals(one);

            assertThat(one.isAtOrBelow(other)).isEqualTo(below);
            assertThat(other.isAtOrBelow(one)).isEqualTo(above);
            assertThat(one.overlaps(other)).isEqualTo(below || above);
            assertThat(other.overlaps(one)).isEqualTo(below || above);
            assertThat(one.isAtOrBelow(one)).isTrue();
            assertThat(one.isAtOrBelow(FsPath.ROOT)).isTrue();
        }
    }

    @Test
    void shouldNotTakeACommonBeginningForAnAncestor() {
        FsPath shorter = FsPath.of("/a/b");

        assertThat(FsPath.of("/a/bc").isAtOrBelow(shorter)).isFalse();
        assertThat(FsPath.of("/a/bc").overlaps(shorter)).isFalse();
        assertThat(FsPath.of("/a/b/c").isAtOrBelow(shorter)).isTrue();
        assertThat(shorter.isAtOrBelow(FsPath.of("/a/b/c"))).isFalse();
    }

    @Test
    void shouldTreatTheRootAsItsOwnParent() {
        assertThat(FsPath.ROOT.parent()).isEqualTo(FsPath.ROOT);
        assertThat(FsPath.ROOT.isRoot()).isTrue();
        assertThat(FsPath.ROOT.name()).isEmpty();
        assertThat(FsPath.of("/").isRoot()).isTrue();
        assertThat(FsPath.of("/a").parent()).isEqualTo(FsPath.ROOT);
    }

    @Test
    void shouldOrderParentsBeforeTheirChildrenAndSubtreesTogether() {
        FsPath a = FsPath.of("/a");
        assertThat(List.of(FsPath.of("/a-b"), FsPath.of("/a/b"), a, FsPath.of("/b"), FsPath.ROOT).stream()
                        .sorted())
                .containsExactly(FsPath.ROOT, a, FsPath.of("/a/b"), FsPath.of("/a-b"), FsPath.of("/b"));
        for (int round = 0; round < ROUNDS; round++) {
            FsPath one = path(names(3));
            FsPath other = path(names(3));

            assertThat(Integer.signum(one.compareTo(other))).isEqualTo(-Integer.signum(other.compareTo(one)));
            assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        }
    }
}
