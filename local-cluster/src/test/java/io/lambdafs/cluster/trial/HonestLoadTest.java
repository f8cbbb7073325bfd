package io.lambdafs.cluster.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HonestLoadTest {
    private static final FsPath PATH = FsPath.of("/honest/1");

    /** In memory; refuses one operation. */
    private record Refusing(String refused, Map<FsPath, byte[]> written) implements HonestLoad.Files {
        private void check(String operation) {
            if (operation.equals(refused)) {
                throw FsException.unavailable(operation);
            }
        }

        @Override
        public void write(FsPath path, byte[] content) {
            check("write");
            written.put(path, content.clone());
        }

        @Override
        public byte[] read(FsPath path) {
            check("read");
            return Optional.ofNullable(written.get(path))
                    .orElseThrow(() -> new FsException(ErrorCode.NOT_FOUND, path.toString()));
        }

        @Override
        public void delete(FsPath path) {
            check("delete");
            written.remove(path);
        }
    }

    @ParameterizedTest
    @CsvSource({"write, 0", "read, 2", "delete, 2", "nothing, 3"})
    void shouldCountEachFailureOnce(String refused, int done) throws InterruptedException {
        HonestLoad load = new HonestLoad(new Refusing(refused, new HashMap<>()));

        load.file(PATH, new byte[10]);

        assertThat(load.failures())
                .hasSize(refused.equals("nothing") ? 0 : 1)
                .allMatch(each -> each.startsWith(refused));
        assertThat(load.done()).isEqualTo(done);
    }

    @Test
    void shouldCountOtherBytesAsAFailure() throws InterruptedException {
        HonestLoad.Files files = new Refusing("nothing", new HashMap<>());
        HonestLoad load = new HonestLoad(new HonestLoad.Files() {
            @Override
            public void write(FsPath path, byte[] content) throws InterruptedException {
                files.write(path, new byte[content.length + 1]);
            }

            @Override
            public byte[] read(FsPath path) throws InterruptedException {
                return files.read(path);
            }

            @Override
            public void delete(FsPath path) throws InterruptedException {
                files.delete(path);
            }
        });

        load.file(PATH, new byte[10]);

        assertThat(load.failures()).containsExactly("read " + PATH + ": other bytes than were written");
    }
}
