package io.lambdafs.datanode.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.BlockStores;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CloudBlockStoresTest {
    @TempDir
    Path spool;

    private void open(String place) {
        BlockStores.open(place, Optional.empty(), Optional.empty(), "me", spool).close();
    }

    @Test
    void shouldBeFoundWhereItIsOnTheClassPath() {
        assertThatThrownBy(() -> open("az://container/p"))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
                .hasMessageContaining("AZURE_STORAGE_CONNECTION_STRING");
    }
}
