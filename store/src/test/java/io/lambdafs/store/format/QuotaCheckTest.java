package io.lambdafs.store.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A check of quotas shows what is charged, and what is charged wrongly. */
class QuotaCheckTest {
    private final List<Row> rows = new ArrayList<>();

    QuotaCheckTest() {
        rows.add(Rows.of(INode.directory(0, "", INode.ROOT_ID, "root", "root", 0755, 1)));
        rows.add(Rows.of(INode.directory(INode.ROOT_ID, "a", 11, "root", "root", 0755, 1)));
        rows.add(Rows.of(INode.directory(11, "b", 12, "root", "root", 0755, 1).withQuota(true)));
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "root", "root", 0644, 2, 100, INode.Content.WRITING);
        rows.add(Rows.of(new INode(12, "f", 13, traits, 30, 1, 1, 1).withReserved(100)));
    }

    private static Row totals(long id, DirectoryTotals of, Quota quota) {
        return new Row(
                Rows.totalsKey(id), of.files(), of.directories(), of.bytes(), of.space(), quota.names(), quota.space());
    }

    @Test
    void shouldShowWhatIsCharged() {
        DirectoryTotals file = new DirectoryTotals(1, 0, 30, 260);
        Quota quota = new Quota(5, Quota.NONE);
        rows.add(totals(12, file, quota));
        rows.add(totals(11, file.plus(DirectoryTotals.DIRECTORY), Quota.UNLIMITED));
        rows.add(totals(INode.ROOT_ID, new DirectoryTotals(1, 2, 30, 60), Quota.UNLIMITED));
        QuotaCheck check = new QuotaCheck(rows);
        assertThat(check.saysExact()).isFalse();
        assertThat(check.inodes()).isEqualTo(4);
        assertThat(check.quotas()).containsExactly(Map.entry(FsPath.of("/a/b"), new QuotaCheck.Charged(quota, file)));
        assertThat(check.wrong()).containsExactly(Map.entry(FsPath.ROOT, new DirectoryTotals(0, 0, 0, 200)));
    }

    @Test
    void shouldShowNothingOfWhatIsDetached() {
        rows.add(TotalsState.EXACT);
        rows.add(Rows.detached(INode.directory(INode.ROOT_ID, "gone", 14, "root", "root", 0755, 1)
                .withQuota(true)));
        rows.add(totals(14, DirectoryTotals.DIRECTORY, new Quota(3, 3)));
        QuotaCheck check = new QuotaCheck(rows);
        assertThat(check.saysExact()).isTrue();
        assertThat(check.quotas()).isEmpty();
    }
}
