package io.lambdafs.rpc.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivateFileTest {
    @ParameterizedTest
    @CsvSource({
        "rw-------, ann,  ann,  false",
        "r--------, ann,  ann,  false",
        "rw-r-----, ann,  ann,  true",
        "rw----r--, ann,  ann,  true",
        "r--r-----, root, app,  false",
        "r--r-----, 0,    app,  false",
        "r--r-----, root, root, true",
        "rw-rw----, root, app,  true",
        "r--r--r--, root, app,  true",
    })
    void shouldLetOnlyRootShareAFileWithAGroup(String permissions, String owner, String user, boolean open) {
        assertThat(PrivateFile.isOpen(PosixFilePermissions.fromString(permissions), owner, user))
                .isEqualTo(open);
    }
}
