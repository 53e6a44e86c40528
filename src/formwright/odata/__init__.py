"""The OData v4 feed: submissions and the lists beside them as flat tables, for Excel, Power BI and Tableau.

It is read-only. Errors, paging and types follow OData 4.0 (OASIS), Protocol, URL Conventions, JSON Format and CSDL.
"""
