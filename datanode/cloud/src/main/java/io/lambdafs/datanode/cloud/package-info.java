/**
 * Block stores in Azure Blob Storage and Google Cloud Storage, by the clouds' own libraries. Found if this module is on
 * the class path.
 */
@NullMarked
package io.lambdafs.datanode.cloud;

import org.jspecify.annotations.NullMarked;
