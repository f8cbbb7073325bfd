package io.lambdafs.hammer.scale;

import io.lambdafs.hammer.OperationKind;
import java.util.Arrays;

/**
 * Mean costs of an operation, seconds. Immutable.
 *
 * @param cpu of an instance
 * @param writes share of operations that write, 0–1
 * @param invSend sending an INV
 * @param invTake taking an INV
 * @param readWay way of a read, without its processor time
 * @param writeWay the same of a write, with the commit
 */
record FlowCosts(double cpu, double writes, double invSend, double invTake, double readWay, double writeWay) {
    static FlowCosts of(ScaleSettings settings) {
        ScaleSettings.Service service = settings.service();
        double all = Arrays.stream(OperationKind.values())
                .mapToDouble(OperationKind::percent)
                .sum();
        double cpu = 0;
        double writes = 0;
        for (OperationKind kind : OperationKind.values()) {
            long nanos = switch (kind) {
                case READ -> service.readNanos();
                case STAT -> service.statNanos();
                case LS -> service.listNanos();
                case MV -> service.renameNanos() + service.missNanos();
                case DELETE -> service.deleteNanos() + service.missNanos();
                case CREATE, MKDIRS -> service.createNanos() + service.missNanos();
            };
            cpu += kind.percent() / all * nanos / 1e9;
            writes += kind.isRead() ? 0 : kind.percent() / all;
        }
        double way = (settings.network().roundTripNanos() + settings.network().jitterNanos()) / 1e9;
        double client = service.clientNanos() / 1e9;
        ScaleSettings.Store store = settings.store();
        double commit = way + (store.commitNanos() + 1.5 * store.syncNanos()) / 1e9;
        return new FlowCosts(
                cpu,
                writes,
                service.invSendNanos() / 1e9,
                service.invTakeNanos() / 1e9,
                way + client,
                way + client + commit);
    }
}
