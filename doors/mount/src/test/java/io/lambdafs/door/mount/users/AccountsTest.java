package io.lambdafs.door.mount.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountsTest {
    @TempDir
    private Path folder;

    private long now;
    private Path file;
    private Accounts accounts;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(
                folder.resolve("passwd"), "root:x:0:0::/root:/bin/sh\nann:x:1007:5::/:/bin/sh\nbroken\n");
        accounts = new Accounts("passwd", file, () -> now);
    }

    @Test
    void shouldKnowTheAccountsOfTheFile() {
        assertThat(accounts.name(1_007)).isEqualTo("ann");
        assertThat(accounts.number("ann")).isEqualTo(1_007);
        assertThat(accounts.number("root")).isZero();
    }

    @Test
    void shouldNameANumberWithoutAnAccountByItself() {
        assertThat(accounts.name(3_999_999)).isEqualTo("3999999");
        assertThat(accounts.number("3999999")).isEqualTo(3_999_999);
    }

    @Test
    void shouldGiveANameWithoutAnAccountANumberThatLeadsBack() {
        int made = accounts.number("no-such-user-here");

        assertThat(made).isGreaterThanOrEqualTo(0x4000_0000);
        assertThat(new Accounts("passwd", file, () -> now).number("no-such-user-here"))
                .isEqualTo(made);
        assertThat(accounts.name(made)).isEqualTo("no-such-user-here");
    }

    @Test
    void shouldNoticeANewAccountAfterAMinute() throws Exception {
        assertThat(accounts.name(1_008)).isEqualTo("1008");
        Files.writeString(file, "bob:x:1008:5::/:/bin/sh\n");
        now = 61_000_000_000L;

        assertThat(accounts.name(1_008)).isEqualTo("bob");
    }
}
