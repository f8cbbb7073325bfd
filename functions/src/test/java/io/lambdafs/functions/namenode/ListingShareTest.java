package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.SimulatedCluster.Instance;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counts the listings of a mix like Spotify's (the paper's table 2) that read the directory, three instances to a deployment. */
class ListingShareTest {
    private static final int DEPLOYMENTS = 2;
    private static final int INSTANCES = 3;
    private static final int DIRECTORIES = 16;
    private static final int FILES = 32;
    private static final int OPERATIONS = 30_000;
    private static final int WARM_UP = 5_000;

    private final SimulatedCluster cluster = new SimulatedCluster(41, DEPLOYMENTS);
    private final Random random = new Random(41);
    private final List<FsPath> files = new ArrayList<>();
    private int named;
    private int lists;
    private int scanning;

    private static FsPath directory(int i) {
        return FsPath.of("/d" + i);
    }

    private FsPath anyDirectory() {
        // The first directories are the busiest.
        return directory((int) (DIRECTORIES * Math.pow(random.nextDouble(), 2)));
    }

    private FsPath newFile() {
        return anyDirectory().child("f" + named++);
    }

    private FsPath anyFile() {
        return files.get(random.nextInt(files.size()));
    }

    private void perform(Operation<?> operation) {
        int deployment = cluster.placement.of(operation);
        List<Instance> instances = cluster.instances.stream()
                .filter(instance -> instance.deployment == deployment)
                .toList();
        instances.get(random.nextInt(instances.size())).call(operation);
    }

    private void create() {
        FsPath path = newFile();
        files.add(path);
        perform(new FileOperation.Create(path, 0644, false, true, 1, 1 << 20, new byte[0], null));
    }

    private void act() {
        int what = random.nextInt(10_000);
        if (what < 905) {
            long before = cluster.store.scanned;
            perform(new ReadOperation.ListPage(anyDirectory(), "", 1_000));
            lists++;
            scanning += cluster.store.scanned == before ? 0 : 1;
        } else if (what < 905 + 273) {
            create();
        } else if (what < 905 + 273 + 133) {
            FsPath from = files.remove(random.nextInt(files.size()));
            FsPath to = newFile();
            files.add(to);
            perform(new NamespaceOperation.Rename(from, to, RenameMode.STRICT));
        } else if (what < 905 + 273 + 133 + 75) {
            perform(new NamespaceOperation.Delete(files.remove(random.nextInt(files.size())), false));
        } else if (what < 905 + 273 + 133 + 75 + 3) {
            perform(new AttributeOperation.SetPermission(anyFile(), 0600));
        } else {
            perform(new ReadOperation.Stat(anyFile()));
        }
    }

    @Test
    void shouldSeldomReadADirectoryToListIt() {
        for (int i = 0; i < DEPLOYMENTS * INSTANCES; i++) {
            cluster.start(i % DEPLOYMENTS);
        }
        for (int i = 0; i < DIRECTORIES * FILES; i++) {
            create();
        }
        for (int i = 0; i < OPERATIONS; i++) {
            if (i == WARM_UP) {
                lists = 0;
                scanning = 0;
            }
            act();
        }
        assertThat(lists).isGreaterThan(2_000);
        assertThat((double) scanning / lists).isLessThan(0.05);
    }
}
