package io.lambdafs.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.datanode.block.BlockStoreProvider;
import io.lambdafs.datanode.block.ForwardingBlockStore;
import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.datanode.s3.S3BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockStoresTest {
    @TempDir
    Path folder;

    private BlockStore open(String place) {
        return BlockStores.open(
                place, Optional.of("http://127.0.0.1:1/"), Optional.empty(), "dn-1", folder.resolve("spool"));
    }

    @Test
    void shouldOpenEachPlaceWithTheStoreOfItsKind() {
        Path blocks = folder.resolve("blocks");
        try (BlockStore directory = open(blocks.toString());
                BlockStore bucket = open("s3://bucket/x")) {
            assertThat(directory).isInstanceOf(LocalBlockStore.class);
            assertThat(blocks.resolve("uploads/dn-1")).isDirectory();
            assertThat(bucket).isInstanceOf(S3BlockStore.class);
            assertThat(bucket.place()).isEqualTo("s3://bucket/x/ at http://127.0.0.1:1");
            assertThat(folder.resolve("spool")).isEmptyDirectory();
        }
    }

    @Test
    void shouldSayThatNothingOpensAPlace() {
        assertFails("gs://bucket/x");
    }

    private void assertFails(String place) {
        assertThatThrownBy(() -> open(place))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
                .hasMessageContaining(place);
    }

    /** Takes one container. */
    public static final class OneContainer implements BlockStoreProvider {
        @Override
        public boolean takes(ObjectPlace place) {
            return place.isAzure() && place.bucket().equals("mine");
        }

        @Override
        public BlockStore open(ObjectPlace place, Path spool) {
            return new ForwardingBlockStore(new MemoryBlockStore()) {
                @Override
                public String place() {
                    return place + " by " + spool.getFileName();
                }
            };
        }
    }

    @Test
    void shouldAskTheProvidersOfTheClassPathWhoTakesAPlace() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(BlockStoreProvider.class.getName()), OneContainer.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader more = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(more);
            assertThat(open("az://mine").place()).isEqualTo("az://mine/ by spool");
            assertFails("az://another");
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
