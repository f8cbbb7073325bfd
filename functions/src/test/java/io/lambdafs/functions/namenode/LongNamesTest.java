package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.message.Codec;
import io.lambdafs.rpc.message.OperationReply;
import io.lambdafs.rpc.message.RpcMessages;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A directory whose listing is longer than a platform takes for a result. */
class LongNamesTest {
    private static final int FILES = 3_500;
    /** Largest content that fits a megabyte in base64. */
    private static final int MOST_BYTES = 786_432 - 1_000;

    private final SimulatedCluster cluster = new SimulatedCluster(31, 1);
    private final Codec codec = RpcMessages.codec();

    @Test
    void shouldEndAPageByItsBytesHoweverItIsRead() {
        Instance instance = cluster.start(0);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            String name = String.format("%05d", i) + "é".repeat(97) + "x";
            names.add(name);
            instance.call(new FileOperation.Create(
                    FsPath.of("/d/" + name), 0644, false, true, 1, 1 << 20, new byte[0], null));
        }

        // From the store, then from the cache.
        assertThat(list(instance)).isEqualTo(names);
        assertThat(instance.hits(new ReadOperation.ListPage(FsPath.of("/d"), "", 10_000)))
                .isTrue();
        assertThat(list(instance)).isEqualTo(names);
        // With what the cache does not have of directories, and last without a cache.
        instance.call(new NamespaceOperation.Mkdirs(FsPath.of("/d/" + "0".repeat(200)), 0755, true));
        names.add(0, "0".repeat(200));
        assertThat(list(instance)).isEqualTo(names);
        assertThat(list(cluster.start(0))).isEqualTo(names);
    }

    private List<String> list(Instance instance) {
        List<String> names = new ArrayList<>();
        boolean more = true;
        while (more) {
            String last = names.isEmpty() ? "" : names.get(names.size() - 1);
            Reply.Page page =
                    (Reply.Page) instance.call(new ReadOperation.ListPage(FsPath.of("/d"), last, Operation.MAX_PAGE));
            WireWriter out = new WireWriter();
            codec.write(out, new OperationReply(0, 1, true, page));
            assertThat(out.toByteArray()).hasSizeLessThan(MOST_BYTES);
            assertThat(page.entries()).isNotEmpty();
            page.entries().stream().map(Attributes::name).forEach(names::add);
            more = page.more();
        }
        return names;
    }
}
