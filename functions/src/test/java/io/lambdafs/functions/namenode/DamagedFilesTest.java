package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.block.DamagedFiles;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.block.BlockFault;
import io.lambdafs.store.block.Datanode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests clients' lists of damaged files, as datanodes found them. */
class DamagedFilesTest extends BlockFileCase {
    private void serve(String id, String store) {
        long now = cluster.scheduler.currentTimeMillis();
        put(new Datanode(new DatanodeAddress(id, "localhost", 9_001), store, Datanode.State.SERVING, 0, 0, now).row());
    }

    private void fault(String store, long file, int index) {
        put(new BlockFault(store, ObjectKey.of(file, 1, index), file, index, "its object is missing", 1).row());
    }

    /** Reads every page of damaged files, and checks the number of pages. */
    private List<Long> damaged(int pages) {
        List<Long> files = new ArrayList<>();
        String next = "";
        for (int page = 1; page <= pages; page++) {
            Reply.Damaged reply = (Reply.Damaged) cluster.call(new ReadOperation.ListDamaged(FsPath.ROOT, next));
            files.addAll(reply.files());
            next = reply.next();
            assertThat(next.isEmpty()).isEqualTo(page == pages);
        }
        return files;
    }

    @Test
    void shouldTellTheFilesOfEachBlockStore() {
        assertThat(damaged(1)).isEmpty();
        serve("d2", "archive");
        serve("d3", "local");
        fault("local", 11, 0);
        fault("local", 11, 3);
        fault("local", 12, 1);
        fault("archive", 13, 0);
        fault("unserved", 14, 0);
        cluster.scheduler.advance(2_000_000_000L);
        assertThat(damaged(2)).containsExactlyInAnyOrder(11L, 11L, 12L, 13L);
    }

    @Test
    void shouldTellThemPageByPage() {
        LongStream.rangeClosed(1, 2L * DamagedFiles.PAGE).forEach(file -> fault("local", file, 0));
        assertThat(damaged(3)).hasSize(2 * DamagedFiles.PAGE).doesNotHaveDuplicates();
        serve("d2", "remote");
        fault("remote", 5_000, 0);
        cluster.scheduler.advance(2_000_000_000L);
        assertThat(damaged(4)).hasSize(2 * DamagedFiles.PAGE + 1).contains(5_000L);
    }

    /** A block store may go while somebody asks. */
    @Test
    void shouldGoOnBehindAStoreThatIsGone() {
        fault("local", 11, 0);
        Reply.Damaged reply = (Reply.Damaged) cluster.call(new ReadOperation.ListDamaged(FsPath.ROOT, "gone\nkey"));
        assertThat(reply).isEqualTo(new Reply.Damaged(List.of(11L), ""));
        assertThat(cluster.call(new ReadOperation.ListDamaged(FsPath.ROOT, "zulu")))
                .isEqualTo(new Reply.Damaged(List.of(), ""));
    }

    @Test
    void shouldTellSuperusersAlone() {
        fault("local", 11, 0);
        ReadOperation.ListDamaged ask = new ReadOperation.ListDamaged(PATH, "");
        assertThat(codeOf(cluster.owner(ask).call(OTHER, ask))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        Principal member = new Principal("u1", List.of("users", Principal.SUPERGROUP));
        assertThat(cluster.owner(ask).call(member, ask)).isEqualTo(new Reply.Damaged(List.of(11L), ""));
    }
}
