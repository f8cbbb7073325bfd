package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** How the database is reached. */
class SqlSettingsTest {
    @TempDir
    private Path folder;

    private static SqlSettings settings(Optional<Path> passwordFile) {
        return new SqlSettings("jdbc:postgresql://db:5433/meta", "ann", passwordFile, "c", 2);
    }

    @Test
    void shouldReadThePasswordFromItsFile() throws IOException {
        Path file = folder.resolve("password");
        assertThat(settings(Optional.empty()).password()).isEmpty();
        assertThatThrownBy(() -> settings(Optional.of(file)).password())
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContainingAll("cannot read the password file", file.toString());
        Files.writeString(file, " sesame\n");
        assertThat(settings(Optional.of(file)).password()).isEqualTo("sesame");
    }

    /** A session ends where its process, or its machine, has gone. */
    @Test
    void shouldConnectBySessionsThatEndByThemselves() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "sesame");
        PGSimpleDataSource source = DatabaseLease.source(settings(Optional.of(file)), "-c x=1");
        assertThat(source.getServerNames()).containsExactly("db");
        assertThat(source.getPortNumbers()).containsExactly(5433);
        assertThat(source.getDatabaseName()).isEqualTo("meta");
        assertThat(source.getUser()).isEqualTo("ann");
        assertThat(source.getPassword()).isEqualTo("sesame");
        assertThat(source.getApplicationName()).isEqualTo("lambdafs-store");
        assertThat(source.getTcpKeepAlive()).isTrue();
        assertThat(source.getConnectTimeout()).isEqualTo(5);
        assertThat(source.getSocketTimeout()).isEqualTo(60);
        assertThat(source.getOptions())
                .contains("tcp_keepalives_idle=5", "idle_in_transaction_session_timeout=10000")
                .endsWith(" -c x=1");
    }
}
