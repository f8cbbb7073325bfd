package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbErrorConst;
import com.mysql.ndbjtie.ndbapi.NdbErrorConst.Classification;
import com.mysql.ndbjtie.ndbapi.NdbErrorConst.Status;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;

/** Maps an NDB failure to its meaning, by its status and classification. Stateless. */
public final class NdbFailure {
    /** There is no such row. */
    public static final int NO_ROW = 626;

    private static final int NO_INDEX_STATISTICS = 4714;

    private NdbFailure() {}

    /**
     * Returns the exception for an error; throws {@code DatabaseLostException} if the error passes, or its outcome is
     * unknown.
     *
     * @param what the action that failed
     */
    public static FsException of(String what, NdbErrorConst error) throws DatabaseLostException {
        String why = what + ": NDB's error " + error.code() + ", " + error.message();
        if (error.classification() == Classification.InsufficientSpace) {
            return new FsException(
                    ErrorCode.STORE_FULL,
                    why + "; nothing was changed; give NDB more DataMemory, or space for its logs");
        }
        if (passes(error)) {
            throw new DatabaseLostException(FsException.unavailable(why + "; check that NDB's data nodes run"));
        }
        if (error.code() == NO_INDEX_STATISTICS) {
            return FsException.unavailable(
                    why + "; NDB's own tables for statistics of indexes are missing: run ndb_index_stat"
                            + " --sys-create-if-not-exist once");
        }
        return new FsException(ErrorCode.INTERNAL, why);
    }

    /** Temporary errors have changed nothing; after an unknown result, the database knows the outcome. */
    private static boolean passes(NdbErrorConst error) {
        return error.status() == Status.TemporaryError
                || error.status() == Status.UnknownResult
                || error.classification() == Classification.NodeShutdown
                || error.classification() == Classification.NodeRecoveryError;
    }
}
