package io.lambdafs.client.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfig.SharingUse;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharingPlaceTest {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    @TempDir
    Path folder;

    private ClientConfigBuilder config(Path directory) {
        return ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .user("alice")
                .groups(List.of())
                .insecure(true)
                .sharing(new SharingUse(true, directory));
    }

    private SharingPlace place(Path directory) {
        return SharingPlace.of(config(directory).build());
    }

    private static void assertRefused(SharingPlace place) {
        assertThatThrownBy(place::open)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
    }

    @Test
    void shouldMakeADirectoryForItsOwnerAlone() throws IOException {
        Path directory = folder.resolve("a/b");

        place(directory).open();
        place(directory).open();

        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-x---", "rwx--x--x", "rwx-w----", "r-x------", "rwx-----x"})
    void shouldRefuseADirectoryWithOtherPermissions(String permissions) throws IOException {
        Path directory = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));

        assertRefused(place(directory));
    }

    @Test
    void shouldRefuseALinkAndAFile() throws IOException {
        Path target = Files.createDirectory(folder.resolve("target"), PRIVATE);
        assertRefused(place(Files.createSymbolicLink(folder.resolve("link"), target)));
        assertRefused(place(Files.createFile(folder.resolve("file"), PRIVATE)));
    }

    @Test
    void shouldRefuseADirectoryOfAnotherUser() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("theirs"), PRIVATE);
        assumeTrue(isGivenAway(directory), "only root can give a directory away");

        assertRefused(place(directory));

        assertThat(directory).isEmptyDirectory();
    }

    private static boolean isGivenAway(Path directory) {
        try {
            Files.setAttribute(directory, "unix:uid", 12_345);
            return true;
        } catch (IOException notRoot) {
            return false;
        }
    }

    @Test
    void shouldLetOneAtATimeListen() throws IOException {
        SharingPlace place = place(folder.resolve("one"));
        place.open();
        Files.createFile(place.socket());

        try (FileChannel lock = place.tryLock()) {
            assertThat(lock).isNotNull();
            assertThat(place.socket()).doesNotExist();
            Files.createFile(place.socket());
            assertThat(place.tryLock()).isNull();
            assertThat(place.socket()).exists();
        }

        try (FileChannel next = place.tryLock()) {
            assertThat(next).isNotNull();
        }
    }

    @Test
    void shouldHaveProcessesMeetByClusterAndIdentity() {
        SharingPlace one = place(folder);

        assertThat(place(folder)).isEqualTo(one).hasSameHashCodeAs(one);
        assertThat(List.of(
                        place(folder.resolve("b")),
                        SharingPlace.of(config(folder).user("bob").build()),
                        SharingPlace.of(config(folder).groups(List.of("g")).build()),
                        SharingPlace.of(config(folder).token("t").build()),
                        SharingPlace.of(config(folder).deployments(9).build()),
                        SharingPlace.of(config(folder)
                                .gateway(URI.create("http://127.0.0.1:2"))
                                .build())))
                .doesNotContain(one)
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldBeNoneWhereNothingIsShared() {
        assertThat(SharingPlace.of(config(folder).sharingEnabled(false).build()))
                .isNull();
        assertThat(SharingPlace.of(config(folder).tcpEnabled(false).build())).isNull();
    }
}
