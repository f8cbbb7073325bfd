/**
 * Background chores: reclaiming detached trees and files, and sweeping slots, leases, trash and the change log, in
 * batches that tolerate a crash at any point.
 */
@NullMarked
package io.lambdafs.functions.housekeeping;

import org.jspecify.annotations.NullMarked;
