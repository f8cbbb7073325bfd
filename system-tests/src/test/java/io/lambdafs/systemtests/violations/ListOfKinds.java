package io.lambdafs.systemtests.violations;

import io.lambdafs.model.operation.OperationKind;
import java.util.EnumSet;
import java.util.Set;

/** Lists kinds beside their registry. */
final class ListOfKinds {
    static final Set<OperationKind> LISTED =
            EnumSet.of(OperationKind.STAT, OperationKind.LIST_PAGE, OperationKind.OPEN, OperationKind.ACCESS);

    private ListOfKinds() {}
}
