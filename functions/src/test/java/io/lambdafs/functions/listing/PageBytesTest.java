package io.lambdafs.functions.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageBytesTest {
    private static int of(String name, String owner) {
        return of(name, owner, "");
    }

    private static int of(String name, String owner, String group) {
        return PageBytes.of(INode.directory(1, name, 2, owner, group, 0755, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "é", "中", "a-é-中"})
    void shouldCountTheBytesOfNamesAndOwners(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        assertThat(of(text, "") - of("", "")).isEqualTo(bytes);
        assertThat(of(text, text) - of(text, "")).isEqualTo(bytes);
        assertThat(of(text, text, text) - of(text, text)).isEqualTo(bytes);
    }

    @Test
    void shouldCountAllEntriesOfAPageAndTheMessageOfAFailure() {
        INode node = INode.directory(1, "name", 2, "owner", "group", 0755, 1);
        Attributes entry = Attributes.of(node, DirectoryStats.EMPTY);
        int empty = PageBytes.of(new Reply.Page(List.of(), false));
        assertThat(empty).isPositive();
        assertThat(PageBytes.of(new Reply.Page(List.of(entry, entry), false)))
                .isEqualTo(empty + 2 * PageBytes.of(node));
        int failure = PageBytes.of(new Reply.Failure(ErrorCode.NOT_FOUND, ""));
        assertThat(failure).isPositive();
        assertThat(PageBytes.of(new Reply.Failure(ErrorCode.NOT_FOUND, "none"))).isEqualTo(failure + 4);
    }

    @Test
    void shouldNotCountTooFewForWhatJavaKeepsInTwo() {
        assertThat(of("😀", "") - of("", "")).isGreaterThanOrEqualTo("😀".getBytes(StandardCharsets.UTF_8).length);
    }
}
