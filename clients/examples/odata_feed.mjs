// Reads a table of a feed with @odata/client: prints its rows as JSON.
import { OData } from "@odata/client";

const { ROOT, KEY, TABLE, COLUMNS } = process.env;
const credential = { username: "any", password: KEY };
const client = OData.New4({ metadataUri: ROOT + "$metadata", serviceEndpoint: ROOT, credential });
const table = client.getEntitySet(TABLE);
const names = COLUMNS.split(",");
const rows = await table.query();
console.log(JSON.stringify(rows.map((row) => names.map((name) => row[name]))));
const condition = OData.newFilter().field("people").gt(1);
const found = await table.query(OData.newParam().filter(condition).orderby("people", "desc").top(2));
console.log(JSON.stringify([await table.count(condition), ...found.map((row) => row.people)]));
console.log(JSON.stringify((await table.retrieve(rows[0]._id)).site));
