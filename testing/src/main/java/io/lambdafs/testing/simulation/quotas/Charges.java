package io.lambdafs.testing.simulation.quotas;

import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.simulation.Agenda;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Watches each commit of a store: what directories are charged, and their limits (PROTOCOL: I11). Not thread-safe. */
final class Charges {
    private final Agenda agenda;
    private final Map<Long, List<Moment>> history = new HashMap<>();

    /**
     * The quota and totals of a directory for a while.
     *
     * @param since when it began
     */
    private record Moment(long since, Quota quota, DirectoryTotals totals) {}

    Charges(Agenda agenda) {
        this.agenda = agenda;
    }

    /** Looks at all rows after a commit; returns what is wrong, or null. */
    @Nullable
    String look(List<Row> rows) {
        String wrong = null;
        for (Row row : rows) {
            if (row.key().table().equals(Schema.DIRECTORY_TOTALS)) {
                String found = look(row.key().int64(0), Rows.quota(row), Rows.totals(row));
                wrong = wrong == null ? found : wrong;
            }
        }
        return wrong;
    }

    private @Nullable String look(long id, Quota quota, DirectoryTotals totals) {
        List<Moment> moments = history.computeIfAbsent(id, none -> new ArrayList<>());
        DirectoryTotals before = moments.isEmpty()
                ? DirectoryTotals.NONE
                : moments.get(moments.size() - 1).totals();
        Moment now = new Moment(agenda.now(), quota, totals);
        if (moments.isEmpty()
                || !totals.equals(before)
                || !quota.equals(moments.get(moments.size() - 1).quota())) {
            moments.add(now);
        }
        if (totals.files() < 0 || totals.directories() < 0 || totals.bytes() < 0 || totals.space() < 0) {
            return "less than nothing is charged to directory " + id + ": " + totals;
        }
        DirectoryTotals more = totals.minus(before);
        return quota.admitsNames(before, more) && quota.admitsSpace(before, more)
                ? null
                : "directory " + id + " was charged over its " + quota + ": " + before + ", then " + totals;
    }

    /** Returns whether a directory had, at some moment since then, no room for so much more. */
    boolean wasFull(long id, long since, DirectoryTotals more, boolean names) {
        List<Moment> moments = history.getOrDefault(id, List.of());
        for (int i = 0; i < moments.size(); i++) {
            boolean overBefore = i + 1 < moments.size() && moments.get(i + 1).since() < since;
            Moment at = moments.get(i);
            boolean admitted = names
                    ? at.quota().admitsNames(at.totals(), more)
                    : at.quota().admitsSpace(at.totals(), more);
            if (!overBefore && !admitted) {
                return true;
            }
        }
        return false;
    }
}
