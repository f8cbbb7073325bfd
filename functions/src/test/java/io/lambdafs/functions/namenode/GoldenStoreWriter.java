package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.AttributeOperation.ChangeSnapshots;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Times;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.message.GoldenFrames;
import io.lambdafs.store.GoldenRows;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.embedded.StoredRows;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.format.FormatLevel;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes the directory of a store of the newest format level, and what it holds, once, when a level is new: run with {@code
 * -Dlambdafs.golden.write=DIRECTORY}. Both files then belong to the {@code golden} resources of the embedded engine.
 */
class GoldenStoreWriter extends BlockFileCase {
    private static final int KEPT_CHANGES = 100;
    /** Files that a store needs to open: RocksDB's own log and options name the machine. */
    private static final String KEPT_FILES = "CURRENT|IDENTITY|MANIFEST-.*|.*\\.log|.*\\.sst|wal\\.synced";

    @TempDir
    private Path folder;

    private void fill() {
        cluster.settings = new NameNodeSettings(
                "root", Times.DEFAULT, 64 << 10, 20_000, NameNodeSettings.Reclaim.DEFAULT, KEPT_CHANGES);
        write(PATH, BLOCK_SIZE, 40);
        write(FsPath.of("/d/cut"), BLOCK_SIZE, BLOCK_SIZE);
        done(new BlockOperation.Truncate(FsPath.of("/d/cut"), 150));
        create(FsPath.of("/d/ß 漢"), BLOCK_SIZE, (byte) 1, (byte) 2);
        create(FsPath.of("/d/open"), BLOCK_SIZE);
        done(new BlockOperation.TakeLease(PATH, false));
        FsPath shared = FsPath.of("/shared");
        done(new NamespaceOperation.Mkdirs(shared, 01777, true));
        List<AclEntry> entries = AclEntry.parse("user:ann:rwx,default:user:ann:r-x,default:group:dev:rwx");
        done(new AttributeOperation.ChangeAcl(shared, AclChange.MODIFY, entries));
        done(new AttributeOperation.SetStoragePolicy(shared, "COLD"));
        done(new AttributeOperation.SetQuota(shared, 1_000, 4_096));
        OpenFile open = ((Reply.Status) create(FsPath.of("/d/reserved"), BLOCK_SIZE)).file();
        done(new BlockOperation.AddBlock(FsPath.of("/d/reserved"), open, 0, 0, null));
        create(shared.child("inherits"), BLOCK_SIZE, (byte) 3);
        done(new AttributeOperation.SetXattr(shared, "user.origin", new byte[] {0, -1, 7}, true, false));
        done(new AttributeOperation.SetXattr(PATH, "trusted.a", new byte[0], true, false));
        done(new AttributeOperation.SetOwner(PATH, "ann", "dev"));
        done(new AttributeOperation.SetReplication(PATH, 3));
        ChangeSnapshots.Action[] actions = {ChangeSnapshots.Action.ALLOW, ChangeSnapshots.Action.CREATE};
        for (ChangeSnapshots.Action action : actions) {
            done(new ChangeSnapshots(shared, action, "first", ""));
        }
        done(new NamespaceOperation.Delete(shared.child("inherits"), false));
        done(new NamespaceOperation.Mkdirs(FsPath.of("/gone/below"), 0755, true));
        done(new NamespaceOperation.Delete(FsPath.of("/gone"), true));
        List.copyOf(cluster.instances).forEach(cluster::leave);
    }

    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeStore() throws IOException {
        fill();
        assertThat(cluster.inspect().problems()).isEmpty();
        List<Mutation> rows =
                cluster.rows().stream().<Mutation>map(Mutation.Put::new).toList();
        try (SystemScheduler scheduler = new SystemScheduler("golden", 1, 1_000);
                RocksStore store = RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(folder))) {
            store.begin(0).commit(rows, Long.MAX_VALUE).toCompletableFuture().join();
        }
        String name = "format-" + FormatLevel.NEWEST.number();
        GoldenFrames.write(name + ".rows", StoredRows.read(folder, GoldenRows::lines));
        try (OutputStream out = Files.newOutputStream(GoldenFrames.written(name + ".zip"));
                ZipOutputStream entries = new ZipOutputStream(out);
                Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String entry = file.getFileName().toString();
                if (entry.matches(KEPT_FILES)) {
                    entries.putNextEntry(new ZipEntry(entry));
                    Files.copy(file, entries);
                }
            }
        }
    }
}
